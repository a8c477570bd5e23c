"""Learn procedures from chat logs that are there already; the first task is then solved at once."""

import json
from pathlib import Path
from tempfile import mkdtemp

from clerk import TOOLS, Clerk
from langchain.agents import create_agent
from macla.adapters.langchain.logs import episodes_from_chat_log
from macla.adapters.langchain.middleware import MaclaMiddleware

folder = Path(mkdtemp())
log = folder / "chats.jsonl"
with log.open("w") as file:
    for name, number in (("Ada", 362), ("Ben", 373), ("Finn", 381)):
        calls = [("find_customer", {"name": name}), ("close_account", {"account_id": number})]
        results = [{"account_id": number, "name": name}, {"closed": number}]
        messages = [{"role": "user", "content": f"Close the account of {name}."}]
        for i, ((tool, args), result) in enumerate(zip(calls, results, strict=True)):
            function = {"name": tool, "arguments": json.dumps(args)}
            call = {"id": f"c{i}", "type": "function", "function": function}
            messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
            messages.append(
                {"role": "tool", "tool_call_id": f"c{i}", "content": json.dumps(result)}
            )
        answer = f"The account {number} of {name} is closed."
        messages.append({"role": "assistant", "content": answer})
        file.write(json.dumps({"messages": messages}) + "\n")

model = Clerk()
macla = MaclaMiddleware(folder / "library")
print(macla.memory.learn(episodes_from_chat_log(log)))
macla.accept()  # a person looked at it: as `macla accept LIBRARY --all` does
agent = create_agent(model, TOOLS, middleware=[macla])
end = agent.invoke({"messages": [("user", "Close the account of Cleo.")]})
print(end["messages"][-1].text, f"({model.calls} model calls)")
macla.memory.close()
