"use strict";
(() => {
  const click = (id) => document.getElementById(id)?.click();
  document.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || e.repeat) return;
    if (e.target instanceof HTMLInputElement) {
      if (e.key === "Escape") e.target.blur();
      return;
    }
    const keys = { y: "label-y", n: "label-n", s: "label-s", v: "label-v", t: "label-t", u: "label-u" };
    if (e.key === "r") {
      e.preventDefault();
      document.getElementById("label-r")?.focus();
    } else if (keys[e.key]) {
      e.preventDefault();
      click(keys[e.key]);
    }
  });
  // A label is sent once, also if its key is pressed twice.
  document.querySelector("form.label")?.addEventListener("submit", (e) => {
    if (e.target.dataset.sent) e.preventDefault();
    e.target.dataset.sent = "1";
  });
})();
