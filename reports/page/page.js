"use strict";
(() => {
  const print = document.getElementById("print");
  if (print) {
    print.hidden = false;
    print.addEventListener("click", () => window.print());
  }
  const form = document.getElementById("filters");
  const rows = Array.from(document.querySelectorAll(".grid tbody tr"));
  const tags = Array.from(form.querySelectorAll("[type=checkbox]"), (box) => box.name);
  const texts = new Map();
  let open = "";

  const sectionOf = (row) => row.dataset.of && document.getElementById(row.dataset.of);

  // textOf is all that the page says about a query, in small letters.
  const textOf = (row) => {
    if (!texts.has(row)) texts.set(row, (row.textContent + " " + (sectionOf(row) || row).textContent).toLowerCase());
    return texts.get(row);
  };

  const filter = () => {
    const wanted = tags.filter((t) => form.elements[t].checked);
    const category = form.elements.category.value;
    const text = form.elements.text.value.trim().toLowerCase();
    let shown = 0;
    for (const row of rows) {
      const has = row.dataset.tags.split(" ");
      const fits = wanted.every((t) => has.includes(t)) &&
        (!category || row.dataset.category === category) && (!text || textOf(row).includes(text));
      row.hidden = !fits;
      const section = sectionOf(row);
      if (section) section.hidden = !fits;
      if (fits) shown++;
    }
    document.getElementById("count").textContent = `${shown} of ${rows.length} queries`;
  };

  const remember = () => {
    const state = new URLSearchParams();
    for (const t of tags) if (form.elements[t].checked) state.set(t, "1");
    for (const name of ["category", "text"]) if (form.elements[name].value) state.set(name, form.elements[name].value);
    if (open) state.set("open", open);
    history.replaceState(null, "", "#" + state);
  };

  const show = (id) => {
    const at = document.getElementById(id);
    const query = at && at.closest(".query");
    if (!query) return;
    open = id;
    query.hidden = false;
    query.open = true;
    for (const other of document.querySelectorAll(".here")) other.classList.remove("here");
    if (at !== query) at.classList.add("here");
    at.scrollIntoView({ block: "start" });
    (at === query ? query.querySelector("summary") : at).focus({ preventScroll: true });
  };

  // recall puts the page into the state that its address names.
  const recall = () => {
    const hash = location.hash.slice(1);
    if (!hash.includes("=")) {
      filter();
      show(hash);
      return;
    }
    const state = new URLSearchParams(hash);
    for (const t of tags) form.elements[t].checked = state.has(t);
    for (const name of ["category", "text"]) form.elements[name].value = state.get(name) || "";
    filter();
    if (state.has("open")) show(state.get("open"));
  };

  // The address of a part is copied by its link, where a browser lets a page do so.
  document.addEventListener("click", (e) => {
    const anchor = e.target.closest(".anchor");
    if (!anchor || !navigator.clipboard) return;
    navigator.clipboard.writeText(anchor.href).then(() => {
      anchor.textContent = "copied";
      setTimeout(() => { anchor.textContent = "#"; }, 1500);
    }, () => {});
  });
  form.addEventListener("submit", (e) => e.preventDefault());
  form.addEventListener("input", () => { filter(); remember(); });
  document.querySelector(".grid").addEventListener("click", (e) => {
    const link = e.target.closest("a");
    if (!link || e.ctrlKey || e.metaKey || e.shiftKey) return;
    e.preventDefault();
    show(link.hash.slice(1));
    remember();
  });
  // Arrow keys go from cell to cell of the grid.
  document.querySelector(".grid").addEventListener("keydown", (e) => {
    const step = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[e.key];
    const cell = e.target.closest("td, th");
    if (!step || !cell) return;
    let row = cell.parentElement;
    if (step[0]) do row = step[0] > 0 ? row.nextElementSibling : row.previousElementSibling; while (row && row.hidden);
    const next = row && row.cells[cell.cellIndex + step[1]];
    const link = next && next.querySelector("a");
    if (!link) return;
    e.preventDefault();
    link.focus();
  });
  addEventListener("hashchange", recall);
  form.hidden = false;
  recall();
})();
