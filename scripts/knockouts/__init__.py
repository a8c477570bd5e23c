"""Knock-outs: what each rule of the learner is worth; see ``scripts/knockouts.py``.

What was measured last; a figure is the change without the rule.

- *Plans*: slots -384, spoiled +40; numbered things -240; names -193, spoiled +49; guards -131;
  effects and idle frames -75 each; telling -56, spoiled +36; enabling links -41. Without *unless
  done* ALFWorld from 10, seeds 0 to 2, takes a step more: 0, 0, -1 of 140.
- *Forms of plans* -140 of 140 (``python -m macla.evals.acceptance --only "alfworld from agent
  logs"``); *verbs last* -140 of 140 (``--only "alfworld verb last"``).
- *Proof: idle steps* -26 of 50; *second looks* -9; *like things* -5 (``--only "proof, alfworld from
  50"``).
- *Agents*: without *familiar* wrong +24; *guards* wrong +7; *answers* model calls +50;
  *superseded* +13; *idle calls* -40 of 40 (``--only tool-hire``, as tools).

Rules of boxes, tasks done wrong of 288 of agents at seeds 0, 1 and 2 (``python
scripts/knockouts.py --apply "agents: apart" -- -m macla.evals.ladder.agents --half fifth --seed
1``):

- ``fifth``: with all rules 0, 0, 1. Without *rows named* 2, 3; *apart* 1, 2; *hulls* 0, 0, but
  992 of 1,025 calls go to the model (with it 542).
- ``sixth-held``: 1, 4, 2. Without *related rows* +3, 0, +2 on the kind that needs it.
- ``eighth-held``, by the hand that wrote the rules, 144 tasks, seeds 0 and 1: 2, 0. At seed 1
  without *sizes by class* 4; *apart* 1.

Ten trades by a stranger, development by now (``python scripts/knockouts.py --apply "agents: small
sets" -- -m macla.evals.trades triage``): triage, seed 0, 0 of 80 wrong; without *small sets* 3.
Hotel, seed 2, 0 of 84 wrong; without *calls left out* 3. Clinic, seed 1, 135 of 297 model calls;
without *tasks read alike* 205. Where nobody says anything of the tools, six trades at seed 0: 0 of
486 wrong, 1,114 of 2,004 model calls (``python -m macla.evals.trades clinic leave disputes dns
library hotel --undeclared``).

As tools, one world each (``--apply "agents: outer rows" -- -m macla.evals.fresh_worlds
gallery-light --form tools``), won without the rule and with it: *outer rows* gallery-light 0, 38;
*any order* bus-roster 0, 25; *marks of secrets* code-verify 0, 39, leaver-checklist 0, 32. *Keys
that are values* and *products* have tests, and no world; *products* cost 9 of 1,063 calls in
``fourth`` and ``fifth``, seed 0. *Pairs of figures*: ``macla.evals.ladder office-supplies`` 25, 28.
*Names by chance* have a test, and no world; they cost 8 of 963 calls in ``development``, seeds 0 to
2. ``third``, seed 0: 0 wrong of 288; without *times* 1. *Quantities* have tests and no
world; *rows left* has neither: no test here fails without it. Neither costs any of 1,401 calls in
``development`` and ``second``, seed 0. That a word of a
task is new though a record repeats it, and that of words told again and again no further ones come,
cost 6. As tools, one fresh world each: *folds* greenhouse-climate 0, 20; *told limits*
expense-limits 14, 27; *letters of names* ward-trays 1, 24; *idle figures* room-booking 32, 36
(``third``, seed 0: 635 calls without, 627 with, 0 wrong); *made first* git-backport 0, 35;
*named keys* phone-menu 0, 39; *other keys* and *decimals* have tests, and no world. Trades of the
fifth stranger, wrong without the rule and with it: *listed times* 1, 0 of 178 (``python -m
macla.evals.trades auction --seed 2 --passes 8``); *rows of other fields* 1, 0 of 132 (``vet
--seed 3 --passes 6``).

Rules of programs, from 40, worlds that may be looked at (``python scripts/program_knockouts.py
--only NAME``). Won without the rule:

- Of 1,820 of 2,000 in fresh worlds: *cuts* 1,740; *words of the task*, *tries*, *usual phrases*
  1,780; *words and marks* 1,798 (22 spoiled).
- Of 1,240 of 1,360 in earlier ones: *rewritings* 1,120; *look-ups* 1,160; *rows told twice*,
  *computed*, *second and third* 1,200; *provided* 1,208 (32 spoiled); *constants* 1,220 (20).
- Of 1,160 of 1,200 on the earlier ladder: *folds*, *offers* 1,120; *rivals* 1,140 (20 spoiled).

One world each, hidden form, from 40 (``python scripts/knockouts.py --apply "programs: sums" -- -m
macla.evals.fresh_worlds deposit-return --form hidden``). Each is won 40 of 40 with the rule, and
without it: *sums*, *idle steps that hide rules* deposit-return 0; *several reasons* phone-menu 0;
*limits of what was typed* fx-claim 0; *values that show a notation* cron-move 0; *rows of one
table* seat-swap 38 (2 spoiled); *names of a pool* putaway-bay 0; *parts at the end* log-squeeze 7
(33 spoiled); *decimal comma* boete-balie 0; *rows of the own table* shift-cover 0; *presence in a
table*, *empty cells* gradebook-sheet 0; *units of numbers* kube-runbook 0; *items of results*
lamp-keeper 0; *items of parts* bail-dossier 0; *words of told names* library-stray 0; *objects told
before* ferry-transfer 0; *slots alike in most* impound-lot 0 (stock-check from 10 18, with it 40);
*first of the list*, *fixed limits*, *reasons for themselves* jury-call 0; *what was asked*
address-clash 0; *classes told before* calendar-pair 0; *orders of all* tailor-card 0; *sentences of
tasks* visitor-badge 0; *lists of clauses*, *cases by relations*, *choices of classes* bin-telephone
0; *tables beside single facts* skolskjuts 0; *lines below a heading* rechnung-freigabe 0 (33 with
it); *units of most values* minibar-folio 0 (29 with it); *words of all episodes*, *two keys*
impact-queue 0; *parts of told names* zone-record 36; *places one by one* support-route 0; *aligned
rows* dock-door 0; *keys of objects* claim-limit, probation-date, photometer-blank 0; *repetitions
as a size* flaky-job 0; *periods* probation-date 0; *percentages* skonto-lauf 0; *shares of sums*
sheet-split 0; *ages* backup-age 0; *limits within conditions* pick-expiry 0; *sizes as classes*
plant-watering 0. Of hr-onboard, which is not won, *classes of all chosen* reproduces 34 of 40 held
out, without it 16. *Trials that explain too little* saves time only: learning 2,851 ALFWorld games
takes 21 s of processor time, without it 51 s; 24 of them 6 s, and without it and *stuck steps* more
than 460 s.

Of 40 in one world, spoiled without the rule, and none with it: *plans reproduce some* close-many
16; *plans lack nothing* lamp-keeper, from 10, 40; *small kinds beside programs* ferry-transfer,
from 10, 13; *equals* receipt-audit 1; *steps by rivals* 2.

The second stranger's trades, tasks done wrong with the rule and without it (``--apply "agents:
reasons" -- -m macla.evals.trades leave --seed 2``): *reasons* leave seed 2 0, 1; *names inside of
names* access undeclared 0, 2; *texts at times* access undeclared 0, 8, seed 1 0, 11. *Ahead of what
is left* spares model calls: bookings undeclared 219, without it 316.

Rules that are not named here are in ``--list``.
"""
