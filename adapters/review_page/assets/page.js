"use strict";
(() => {
  const root = document.documentElement;
  const served = root.dataset.served === "yes";
  const filter = document.getElementById("filter");
  const told = document.getElementById("told");
  const help = document.getElementById("help");
  const decision = document.getElementById("decision");
  const showList = document.getElementById("show-list");
  const items = [...document.querySelectorAll("#list > li")].map((li) => {
    const link = li.querySelector("a");
    return { li, link, card: document.getElementById(link.dataset.for) };
  });
  let current = null;
  let asked = null;
  root.classList.add("js");

  const shown = () => items.filter((item) => !item.li.hidden);

  function select(item, { focus = false, remember = true } = {}) {
    current = item;
    for (const other of items) {
      const here = other === item;
      other.card.hidden = !here;
      if (here) other.link.setAttribute("aria-current", "true");
      else other.link.removeAttribute("aria-current");
    }
    openList(false);
    if (!item) return;
    if (remember) history.replaceState(null, "", "#" + item.card.id);
    item.link.scrollIntoView({ block: "nearest", behavior: "instant" });
    if (focus) {
      window.scrollTo({ top: 0, behavior: "instant" });
      item.card.focus({ preventScroll: true });
    }
  }

  function move(step) {
    const visible = shown();
    if (!visible.length) return;
    const at = visible.indexOf(current);
    const next = at < 0 ? 0 : Math.min(visible.length - 1, Math.max(0, at + step));
    select(visible[next], { focus: true });
  }

  function openList(open) {
    root.classList.toggle("list-open", open);
    showList.setAttribute("aria-expanded", String(open));
  }

  function sift() {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const item of items) {
      const text = item.li.dataset.text;
      item.li.hidden = !words.every((word) => text.includes(word));
    }
    const visible = shown();
    document.getElementById("nothing").hidden = visible.length > 0 || !items.length;
    document.getElementById("count").textContent =
      words.length ? `${visible.length} of ${items.length}` : "";
    const listOpen = root.classList.contains("list-open");
    if (visible.length && !visible.includes(current)) select(visible[0]);
    openList(listOpen);
  }

  let silence = 0;
  function tell(text) {
    told.textContent = text;
    clearTimeout(silence);
    silence = setTimeout(() => { told.textContent = ""; }, 8000);
  }

  function mark(item, status) {
    item.card.dataset.status = status;
    for (const state of [item.li.querySelector(".state"), item.card.querySelector(".state")]) {
      state.textContent = status;
      state.className = "state " + status;
      state.hidden = status === "pending";
    }
    for (const button of item.card.querySelectorAll("[data-act]")) {
      button.disabled = status !== "pending";
    }
  }

  function ask(act) {
    if (!served || !current || current.card.dataset.status !== "pending" || decision.open) return;
    const item = current;
    const title = item.card.querySelector("h2").textContent;
    const why = document.getElementById("why");
    const confirm = document.getElementById("confirm");
    document.getElementById("decision-title").textContent =
      act === "accept" ? `Accept: ${title}?` : `Reject: ${title}?`;
    document.getElementById("decision-id").textContent = item.card.dataset.id;
    document.getElementById("why-part").hidden = act === "accept";
    confirm.textContent = act === "accept" ? "Accept" : "Reject";
    why.value = "";
    why.required = act === "reject";
    asked = { item, act };
    decision.onclose = () => {
      // A close event may come late, when the next question is open already.
      if (!decision.open) item.card.focus({ preventScroll: true });
    };
    decision.showModal();
    (act === "accept" ? confirm : why).focus();
  }

  async function decide(item, act, why) {
    const token = new URLSearchParams(location.search).get("token") || "";
    for (const button of item.card.querySelectorAll("[data-act]")) button.disabled = true;
    let answer;
    try {
      const response = await fetch("/decide", {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Macla-Token": token },
        body: JSON.stringify({ id: item.card.dataset.id, act, why }),
        credentials: "omit",
        cache: "no-store",
      });
      answer = await response.json();
    } catch {
      answer = { error: "The server does not answer. Is macla proposals serve still running?" };
    }
    if (answer.error) {
      mark(item, "pending");
      tell(answer.error);
      return;
    }
    mark(item, answer.status);
    tell(answer.message);
    const waiting = shown().find((other) => other.card.dataset.status === "pending");
    if (current === item && waiting) select(waiting, { focus: true });
  }

  filter.addEventListener("input", sift);
  showList.addEventListener("click", () => openList(!root.classList.contains("list-open")));
  document.getElementById("show-help").addEventListener("click", () => help.showModal());
  document.getElementById("list").addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (!link) return;
    event.preventDefault();
    select(items.find((item) => item.link === link), { focus: true });
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-act]");
    if (button) ask(button.dataset.act);
  });
  const why = document.getElementById("why");
  if (why) {
    decision.querySelector("form").addEventListener("submit", (event) => {
      const sure = event.submitter && event.submitter.value === "yes";
      if (!sure) why.required = false;
      if (sure && asked) decide(asked.item, asked.act, why.value.trim());
      asked = null;
    });
    decision.querySelector("button[value='']").formNoValidate = true;
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (help.open || (decision && decision.open)) return;
    const typing = event.target.matches("input, textarea, select");
    if (event.key === "Escape") {
      if (typing) {
        event.preventDefault(); // a search field would empty itself without saying so
        filter.blur();
        if (current) current.card.focus({ preventScroll: true });
      } else if (filter.value) {
        filter.value = "";
        sift();
      }
      return;
    }
    if (typing) {
      if (event.key === "Enter" && current) {
        openList(false);
        current.card.focus({ preventScroll: true });
      }
      return;
    }
    const keys = {
      j: () => move(1),
      k: () => move(-1),
      a: () => ask("accept"),
      r: () => ask("reject"),
      t: () => {
        const texts = current ? [...current.card.querySelectorAll("details.text")] : [];
        const open = !texts.every((text) => text.open);
        for (const text of texts) text.open = open;
      },
      "/": () => {
        openList(true);
        filter.focus();
        filter.select();
      },
      "?": () => help.showModal(),
    };
    if (Object.hasOwn(keys, event.key)) {
      event.preventDefault();
      keys[event.key]();
    }
  });

  window.addEventListener("hashchange", () => {
    const item = items.find((other) => "#" + other.card.id === location.hash);
    if (item && item !== current) select(item, { remember: false });
  });
  const wanted = items.find((item) => "#" + item.card.id === location.hash);
  for (const item of items) {
    if (item.card.dataset.status !== "pending") mark(item, item.card.dataset.status);
  }
  select(wanted || items[0] || null, { remember: false });
})();
