"""InterCode-SQL, live: questions about databases that are answered by SQL, after Spider.

Data, rules and scores follow InterCode (Yang et al. 2023) and the protocol of IPR (Xiong et al.
2024). The databases are played on SQLite in memory, or on a MySQL or MariaDB server by URL.
"""
