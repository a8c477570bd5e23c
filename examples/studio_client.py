"""Talk to the server that ``langgraph dev`` starts: four tasks, the last one helped by memory.

Usage: python examples/studio_client.py [http://127.0.0.1:2024]
"""

import json
import sys

import httpx

address = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:2024"
with httpx.Client(base_url=address, timeout=60) as server:
    for name in ("Ada", "Ben", "Cleo", "Dan"):
        thread = server.post("/threads", json={}).raise_for_status().json()["thread_id"]
        task = {"role": "user", "content": f"Close the account of {name}."}
        run = {"assistant_id": "agent", "input": {"messages": [task]}}
        done = server.post(f"/threads/{thread}/runs/wait", json=run).raise_for_status().json()
        if "messages" not in done:
            sys.exit(f"the run failed: {json.dumps(done)}")
        asked = [m for m in done["messages"] if m["type"] == "ai"]
        recalled = sum("macla" in (m.get("response_metadata") or {}) for m in asked)
        print(f"{done['messages'][-1]['content']} ({recalled} of {len(asked)} from memory)")
