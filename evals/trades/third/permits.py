"""Tarjetas de aparcamiento: renewed, moved to another plate, or given up."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace

from ..trade import Policy, Record, Result
from .desk import Desk

__all__ = ["Permits"]


class Permits(Desk):
    """Tarjetas de aparcamiento: renewed, moved to another plate, or given up."""

    name = "permits"
    prompt = "Gestionas tarjetas de aparcamiento de una ciudad. Hoy es 2026-10-05."
    reading = ("buscar_tarjeta", "ver_vecino", "ver_multas", "ver_zona", "ver_vehiculo")
    traps = (
        "suspendida",
        "multapequena",
        "mudado",
        "vehiculoajeno",
        "ultimodia",
        "zonallena",
        "electrico",
        "sindevolver",
        "dosanos",
        "pesado",
        "sinvehiculo",
    )
    tools = (
        "buscar_tarjeta",
        "ver_vecino",
        "ver_multas",
        "ver_zona",
        "ver_vehiculo",
        "renovar",
        "cambiar_matricula",
        "dar_de_baja",
        "devolver_tasa",
        "citar",
    )

    def buscar_tarjeta(self, numero: str) -> Result:
        """Buscar una tarjeta."""
        return {"total": 1, "tarjetas": [self.row("tarjeta", numero)]}

    def ver_vecino(self, dni: str) -> Result:
        """Ver un vecino."""
        return self.row("vecino", dni)

    def ver_multas(self, matricula: str) -> Result:
        """Multas de una matrícula, una por línea."""
        return self.row("multas", matricula)

    def ver_zona(self, zona: str) -> Result:
        """Ver una zona."""
        return self.row("zona", zona)

    def ver_vehiculo(self, matricula: str) -> Result:
        """Ver un vehículo."""
        return self.row("vehiculo", matricula)

    def renovar(self, numero: str, hasta: str, tasa: int) -> Result:
        """Renovar una tarjeta."""
        return {"hecho": True}

    def cambiar_matricula(self, numero: str, matricula: str) -> Result:
        """Cambiar la matrícula de una tarjeta."""
        return {"hecho": True}

    def dar_de_baja(self, numero: str) -> Result:
        """Dar de baja una tarjeta."""
        return {"hecho": True}

    def devolver_tasa(self, numero: str, euros: int) -> Result:
        """Devolver la tasa."""
        return {"devuelto": euros}

    def citar(self, dni: str, motivo: str) -> Result:
        """Citar a un vecino."""
        return {"cita": "2026-10-20"}

    def task(self, rng: Random, trap: str | None) -> tuple[str, SimpleNamespace]:
        """Text of a task, and what it asks for."""
        kind = rng.choice(["renovar", "renovar", "cambiar", "baja"])
        if trap in ("multapequena", "mudado", "ultimodia", "zonallena", "electrico", "dosanos"):
            kind = "renovar"
        elif trap in ("vehiculoajeno", "pesado", "sinvehiculo"):
            kind = "cambiar"
        elif trap == "sindevolver":
            kind = "baja"
        numero, dni = f"T/{self.fresh(rng, '', 5)}", self.fresh(rng, "D", 7)
        old, new = f"{self.fresh(rng, '', 4)} KLM", f"{self.fresh(rng, '', 4)} NPR"
        zona, name = rng.choice(["Centro", "Puerto", "Norte"]), self.person(rng)
        tasas = {"Centro": 60, "Puerto": 45, "Norte": 24}
        for each, tasa in tasas.items():
            self.put("zona", each, {"zona": each, "tasa": tasa, "libres": 12})
        row: Record = {
            "numero": numero,
            "dni": dni,
            "matricula": old,
            "zona": zona,
            "hasta": rng.choice(["2026-10-31", "2026-11-15", "2027-06-30", "2026-10-12"]),
            "estado": rng.choice(["vigente"] * 6 + ["anulada"]),
        }
        vecino: Record = {"dni": dni, "nombre": name, "empadronado": True, "domicilio": zona}
        multas = [
            f"{self.fresh(rng, 'M', 4)} {rng.choice([60, 90, 200])} EUR pagada"
            for _ in range(rng.randrange(3))
        ]
        if rng.random() < 0.2:
            multas.append(f"{self.fresh(rng, 'M', 4)} {rng.choice([90, 200])} EUR pendiente")
        vehiculo: Record = {
            "matricula": new,
            "titular": dni if rng.random() < 0.8 else self.fresh(rng, "D", 7),
            "tipo": "turismo",
            "peso_kg": str(rng.randrange(900, 2200)),
        }
        if rng.random() < 0.1:
            vecino["empadronado"] = False
        extra = ""
        if trap:
            row.update(estado="vigente", hasta="2026-10-31")
            vecino["empadronado"], vehiculo["titular"], multas = True, dni, multas[:1]
            multas = [each for each in multas if "pagada" in each]
        match trap:
            case "suspendida":
                row["suspendida"] = "por orden judicial"
            case "multapequena":
                multas.append(f"{self.fresh(rng, 'M', 4)} 20 EUR pendiente")
            case "mudado":
                vecino["domicilio"] = next(each for each in tasas if each != zona)
            case "vehiculoajeno":
                vehiculo["titular"] = self.fresh(rng, "D", 7)
            case "ultimodia":
                row["hasta"] = "2026-10-05"
            case "zonallena":
                row["zona"] = vecino["domicilio"] = "Playa"
                self.put("zona", "Playa", {"zona": "Playa", "tasa": 80, "libres": 0})
            case "electrico":
                row["distintivo"] = "0 emisiones"
            case "sindevolver":
                row["hasta"] = "2027-06-30"
                extra = " No hace falta devolver la tasa."
            case "dosanos":
                extra = " Esta vez por dos años."
            case "pesado":
                vehiculo["peso_kg"] = "3600"
            case "sinvehiculo":
                new = f"{self.fresh(rng, '', 4)} ZZZ"
        self.put("tarjeta", numero, row)
        self.put("vecino", dni, vecino)
        self.put("multas", old, "\n".join(multas) or "sin multas")
        self.put("vehiculo", vehiculo["matricula"], vehiculo)
        wording = {
            "renovar": [
                "Renueva la tarjeta {n}.",
                "La tarjeta {n} caduca pronto, renuévala.",
                "Por favor, renovar {n}.",
                "Renew permit {n}.",
            ],
            "cambiar": [
                "Cambia la matrícula de {n} a {m}.",
                "La tarjeta {n} es ahora para el coche {m}.",
                "{n}: nueva matrícula {m}.",
            ],
            "baja": [
                "Da de baja la tarjeta {n}.",
                "Ya no necesito la tarjeta {n}.",
                "Anula {n}, he vendido el coche.",
            ],
        }[kind]
        text = rng.choice(wording).format(n=numero, m=new) + extra
        return text, SimpleNamespace(
            kind=kind,
            numero=numero,
            matricula=new,
            years=2 if trap == "dosanos" else 1,
            keep=trap == "sindevolver",
        )

    def policy(self, asked: SimpleNamespace) -> Policy:
        """Calls of somebody who knows the trade, then the answer."""
        numero = asked.numero
        row = (yield ("buscar_tarjeta", {"numero": numero}))["tarjetas"][0]
        if row["estado"] != "vigente":
            return f"La tarjeta {numero} está {row['estado']}."
        if row.get("suspendida"):
            return f"La tarjeta {numero} está suspendida {row['suspendida']}."
        if asked.kind == "baja":
            zona = yield ("ver_zona", {"zona": row["zona"]})
            yield ("dar_de_baja", {"numero": numero})
            if row["hasta"] > "2027-04-05" and not asked.keep:
                half = zona["tasa"] // 2
                yield ("devolver_tasa", {"numero": numero, "euros": half})
                return f"{numero} queda de baja; se devuelven {half} euros."
            return f"{numero} queda de baja."
        vecino = yield ("ver_vecino", {"dni": row["dni"]})
        if not vecino["empadronado"]:
            yield ("citar", {"dni": row["dni"], "motivo": "padrón"})
            return f"{vecino['nombre']} no está en el padrón y tiene cita."
        if asked.kind == "cambiar":
            car = yield ("ver_vehiculo", {"matricula": asked.matricula})
            if isinstance(car, str):
                return f"No existe el vehículo {asked.matricula}."
            if car["titular"] != row["dni"]:
                yield ("citar", {"dni": row["dni"], "motivo": "titular"})
                return f"{asked.matricula} no es de {vecino['nombre']}."
            if int(car["peso_kg"]) > 3500:
                return f"{asked.matricula} pesa {car['peso_kg']} kg."
            yield ("cambiar_matricula", {"numero": numero, "matricula": asked.matricula})
            return f"{numero} vale ahora para {asked.matricula}, antes {row['matricula']}."
        if row["hasta"] > "2027-01-05":
            return f"{numero} vale hasta {row['hasta']}; es pronto."
        if vecino["domicilio"] != row["zona"]:
            yield ("citar", {"dni": row["dni"], "motivo": "domicilio"})
            return f"{vecino['nombre']} vive ahora en {vecino['domicilio']}."
        multas, zona = yield [
            ("ver_multas", {"matricula": row["matricula"]}),
            ("ver_zona", {"zona": row["zona"]}),
        ]
        owed = sum(
            int(line.split()[1]) for line in multas.split("\n") if line.endswith("pendiente")
        )
        if owed > 50:
            yield ("citar", {"dni": row["dni"], "motivo": "multas"})
            return f"{vecino['nombre']} debe {owed} euros en multas."
        if zona["libres"] == 0:
            return f"La zona {row['zona']} está llena."
        tasa = zona["tasa"] * asked.years
        if row.get("distintivo") == "0 emisiones":
            tasa //= 4
        year = int(row["hasta"][:4]) + asked.years
        hasta = f"{year}{row['hasta'][4:]}"
        yield ("renovar", {"numero": numero, "hasta": hasta, "tasa": tasa})
        return f"{numero} vale hasta {hasta}; tasa {tasa} euros."
