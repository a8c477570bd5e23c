"""A made database, tasks and logs in the formats of InterCode-SQL."""

from __future__ import annotations

import json
from pathlib import Path

DUMP = """
-- made for tests; a ; in a comment
CREATE DATABASE  IF NOT EXISTS `zoo_1`;
USE `zoo_1`;
DROP TABLE IF EXISTS `KEEPER`;
CREATE TABLE `KEEPER` (
  `Id` int NOT NULL AUTO_INCREMENT,
  `Name` varchar(40) COLLATE utf8mb4_general_ci DEFAULT NULL,
  `Wage` decimal(8,2) DEFAULT '10.00',
  `Since` date DEFAULT NULL,
  PRIMARY KEY (`Id`)
) ENGINE=InnoDB;
INSERT INTO `KEEPER` VALUES (1,'Ada O\\'Hara',12.50,'2001-02-03'),(2,'Ben; or not ',9.25,NULL),
(3,'Cleo',20.00,'1999-12-31');
CREATE TABLE `animal` (
  `Id` int NOT NULL AUTO_INCREMENT,
  `Name` text COLLATE utf8mb4_general_ci,
  `Keeper` int DEFAULT NULL,
  `Weight` double DEFAULT NULL,
  `Seen` timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (`Id`),
  KEY `animal_keeper` (`Keeper`),
  CONSTRAINT `animal_keeper` FOREIGN KEY (`Keeper`) REFERENCES `KEEPER` (`Id`)
) ENGINE=InnoDB;
INSERT INTO `animal` VALUES (1,'Lion',1,190,'2020-01-01 00:00:00'),
(2,'Emu',1,40.5,'2020-01-02 10:20:30'),(3,'Okapi',3,NULL,'2020-01-03 00:00:00');
CREATE DATABASE  IF NOT EXISTS `shelf_2`;
USE `shelf_2`;
CREATE TABLE `book` (
  `Id` int NOT NULL AUTO_INCREMENT,
  `Title` text COLLATE utf8mb4_general_ci,
  `Pages` int DEFAULT NULL,
  PRIMARY KEY (`Id`)
) ENGINE=InnoDB;
INSERT INTO `book` VALUES (1,'Émile',300),(2,'Emma',400),(3,'Zadig',100);
"""

TASKS = [
    ("zoo_1", "How many animals are there?", "SELECT COUNT(*) FROM animal", "easy"),
    ("zoo_1", "Count the animals.", "SELECT count(*)  FROM animal;", "easy"),
    ("zoo_1", "List the keepers by wage.", "SELECT Name FROM keeper ORDER BY Wage", "medium"),
    ("zoo_1", "Which keeper has no animal?", "SELECT nothing FROM keeper", "hard"),
    (
        "shelf_2",
        "What is the longest book?",
        "SELECT Title FROM book ORDER BY Pages DESC LIMIT 1",
        "",
    ),
]

_LOGGED = [
    ["SELECT COUNT(*) FROM animals", "SHOW TABLES", "SELECT COUNT(*) FROM animal"],
    ["SELECT COUNT(*) FROM animal"],
    ["SHOW TABLES", "SELECT Name FROM keeper", "SELECT Name FROM keeper ORDER BY Wage ASC"],
    ["SELECT Name FROM keeper"],
    ["SHOW TABLES", "DESC book", "SELECT Title FROM book ORDER BY Pages DESC LIMIT 1"],
]


def make_data(root: Path) -> Path:
    """Write dump, tasks and logs below a data root; return the root."""
    folder = root / "intercode_sql"
    folder.mkdir(parents=True)
    (folder / "ic_spider_dbs.sql").write_text(DUMP, encoding="utf-8")
    tasks = [
        {"task_id": n, "db": db, "query": query, "gold": gold, "hardness": hardness}
        for n, (db, query, gold, hardness) in enumerate(TASKS)
    ]
    (folder / "tasks.json").write_text(json.dumps(tasks), encoding="utf-8")
    for name in ("gpt-4", "gpt-3.5", "gpt-3.5_react"):
        log = _log() if name == "gpt-4" else {}
        (folder / f"traj_{name}_10_turns.json").write_text(json.dumps(log), encoding="utf-8")
    return root


def _log() -> dict[str, object]:
    return {
        str(n): {
            "task_id": n,
            "query": TASKS[n][1],
            "turn_history": {
                "actions": actions,
                "observations": ["[]"] * len(actions),
                # Without order, as in the published logs.
                "rewards": [float(a.startswith("SELECT") and n != 3) for a in actions],
            },
        }
        for n, actions in enumerate(_LOGGED)
    }
