"""Practice: play, learn, play again; or by reward.

Begin with :mod:`.practice_loop`.
"""
