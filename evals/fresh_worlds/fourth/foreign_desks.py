"""A German dunning run, and a Chinese desk for orders that customers do not want any more."""

from __future__ import annotations

from ...ladder.names import CITIES
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..desk import Desk

_TRADES = ("Baustoffe", "Gartenbau", "Elektro", "Druckerei", "Möbelhaus")


class Mahnlauf(Desk):
    """Every item of a customer that is overdue and not blocked is dunned, one level higher."""

    name = "mahnlauf"
    difficulty = "German; of the rows those due before a day and not blocked, each with level + 1"
    operators = (
        Operator("items", "offene Posten von {kunde}", about="Offene Posten eines Kunden."),
        Operator("history", "Verlauf von {kunde}", about="Was zuletzt geschah."),
        Operator("dun", "mahne {rechnung} mit Stufe {stufe}", ("stufe",), "Wird verschickt."),
        Operator("finish", "Mahnlauf für {kunde} abschließen", about="Ende."),
    )
    changing, irrevocable, finals, free = ("dun",), ("dun",), ("finish",), ("dun",)
    horizon = 10

    wordings = (
        "Bitte den Mahnlauf für {kunde} machen, Stichtag {tag}.",
        "{kunde}: alles mahnen, was vor dem {tag} fällig war.",
        "Mahnlauf {kunde} zum {tag}. Gesperrte Posten natürlich nicht!",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw items of a customer."""
        towns = self.draw(CITIES, 2)
        self.kunde, other = (f"{self.rng.choice(_TRADES)} {town}" for town in towns)
        month, cut = self.rng.randint(3, 10), self.rng.randint(10, 20)
        count = self.rng.randint(4, 6)
        numbers = sorted(self.rng.sample(range(10_000, 99_999), count))
        late = [True, False, *(self.rng.random() < 0.6 for _ in numbers[2:])]
        blocked = [False, *(self.rng.random() < 0.3 for _ in numbers[1:])]
        rows: list[dict[str, Value]] = []
        right: dict[str, Call] = {}
        for number, due, block in zip(numbers, late, blocked, strict=True):
            earlier = self.rng.random() < 0.5
            if due:
                day = self.rng.randint(1, 28) if earlier else self.rng.randint(1, cut - 1)
            else:
                day = self.rng.randint(1, 28) if earlier else self.rng.randint(cut + 1, 28)
            shift = (-1 if due else 1) if earlier else 0
            cents, level = self.rng.randint(2_000, 400_000), self.rng.randint(0, 2)
            amount = f"{cents // 100:,}".replace(",", ".") + f",{cents % 100:02}"
            name = f"RE-{number}"
            rows.append(
                {
                    "rechnung": name,
                    "faellig": f"{day:02}.{month + shift:02}.2025",
                    "betrag": amount,
                    "stufe": level,
                    "sperre": "gesperrt" if block else "frei",
                }
            )
            if due and not block:
                right[name] = call("dun", rechnung=name, stufe=level + 1)
        wanted = [row for row in rows if str(row["rechnung"]) in right]
        self.rows = self.arranged(rows, *wanted)
        plan = [call("history", kunde=self.kunde)] if self.rng.random() < 0.2 else []
        plan.append(call("items", kunde=self.kunde))
        plan += [right[n] for row in self.rows if (n := str(row["rechnung"])) in right]
        plan.append(call("finish", kunde=self.kunde))
        offered = [call(op, kunde=k) for op in ("items", "finish") for k in (self.kunde, other)]
        offered += [call("dun", rechnung=r["rechnung"], stufe=n) for r in rows for n in (1, 2, 3)]
        self.lay_out(plan, offered)
        asked = self.rng.choice(self.wordings).format(
            kunde=self.kunde, tag=f"{cut:02}.{month:02}.2025"
        )
        return asked, [Fact("Debitorenbuchhaltung, angemeldet.", {"angemeldet": True})]

    def answer(self, wanted: Call) -> Result:
        """List, dun or finish."""
        if wanted.operator == "dun":
            if wanted["rechnung"] not in [row["rechnung"] for row in self.rows]:
                return [Fact("Rechnung unbekannt.", {"error": "Rechnung unbekannt"})]
            text = f"Mahnung zu {wanted['rechnung']} verschickt."
            return [Fact(text, {"gemahnt": wanted["rechnung"]})]
        if wanted["kunde"] != self.kunde:
            return [Fact("Kein Kunde dieses Namens.", {"error": "kein Kunde dieses Namens"})]
        if wanted.operator == "history":
            return [Fact("Letzter Kontakt: Rückruf, nichts vereinbart.", {"kontakte": 1})]
        if wanted.operator == "finish":
            return [Fact("Mahnlauf abgeschlossen.", {"abgeschlossen": True})]
        line = "{rechnung} | fällig {faellig} | {betrag} € | Stufe {stufe} | {sperre}"
        return [Fact(f"Offene Posten: {len(self.rows)}", {}), Rows("posten", line, self.rows)]


_NAMES = (
    *("王芳", "李伟", "张敏", "刘洋", "陈静", "杨磊", "赵娜", "黄强", "周杰", "吴霞"),
    *("徐明", "孙丽", "胡军", "朱燕", "高峰", "林娟", "何平", "郭涛", "马超", "罗玲"),
)
_GOODS = (
    *("台灯", "水壶", "雨伞", "书包", "耳机", "键盘", "毛毯", "闹钟", "相框", "风扇"),
    *("枕头", "花瓶", "砧板", "手套", "帽子", "围巾"),
)
_ACTS = {"已签收": "refund", "运输中": "stop", "待发货": "cancel"}


class TuihuoDesk(Desk):
    """An order is cancelled, stopped or paid back less the postage, as its state says."""

    name = "tuihuo-desk"
    difficulty = "Chinese; a state decides what is done, an amount is a difference; new states"
    operators = (
        Operator("order", "查询 {order}", about="查看一个订单。"),
        Operator("board", "公告", about="今天的公告。"),
        Operator("refund", "退款 {order} 金额 {amount}", ("amount",), "不可撤销。"),
        Operator("stop", "拦截 {order}", about="拦截包裹,不可撤销。"),
        Operator("cancel", "取消 {order}", about="取消订单,不可撤销。"),
    )
    finals, free = ("refund", "stop", "cancel"), ("refund",)
    horizon = 6
    abstaining = True

    wordings = (
        "顾客{name}不想要订单 {order} 了,请处理。",
        "请处理 {name} 的退货申请:订单 {order} 。",
        "订单 {order} ,{name}申请退货,运费由顾客承担。",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw an order; half of those of the test are in a state nobody has shown."""
        (name,), (goods,) = self.draw(_NAMES), self.draw(_GOODS)
        self.order, other = (self.identifier("########") for _ in range(2))
        state = self.rng.choice([*_ACTS])
        if self.task.part == "test" and self.task.seed % 2:
            self.unsettled, state = True, self.rng.choice(("海关查验", "已拒收", "已丢失"))
        paid, postage = self.rng.randint(40, 900), self.rng.randint(5, 30)
        parts = (self.rng.randint(2, 9), self.rng.randint(1, 28), self.rng.randint(0, 59))
        self.data: dict[str, Value] = {
            "订单号": self.order,
            "商品": goods,
            "实付": paid,
            "运费": postage,
            "状态": state,
            "下单": f"2025年{parts[0]}月{parts[1]}日 10:{parts[2]:02}",
        }
        acts = {
            "refund": call("refund", order=self.order, amount=paid - postage),
            "stop": call("stop", order=self.order),
            "cancel": call("cancel", order=self.order),
        }
        plan = [call("board")] if self.rng.random() < 0.25 else []
        plan += [call("order", order=self.order), acts[_ACTS.get(state, "cancel")]]
        wrong = [call("refund", order=self.order, amount=each) for each in (paid, paid - 1)]
        offered = [call("order", order=each) for each in (self.order, other)]
        self.lay_out(plan, [*offered, *acts.values(), *wrong, call("board")])
        asked = self.rng.choice(self.wordings).format(name=name, order=self.order)
        return asked, [Fact("客服系统 已登录", {"登录": True})]

    def answer(self, wanted: Call) -> Result:
        """Show an order or the board, or do what ends it."""
        if wanted.operator == "board":
            return [Fact("公告:周五系统维护。", {"公告": "周五系统维护"})]
        if wanted["order"] != self.order:
            return [Fact("没有这个订单", {"error": "没有这个订单"})]
        if wanted.operator == "order":
            self.met = self.unsettled
            money = ("实付", "运费")
            lines = [f"{k}:{v}{' 元' if k in money else ''}" for k, v in self.data.items()]
            return [Fact("\n".join(lines), self.data)]
        if self.unsettled:
            self.out_of_turn = True
        return [Fact("已完成", {"完成": True})]
