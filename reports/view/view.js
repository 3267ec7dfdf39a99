"use strict";
(() => {
  const source = new EventSource(document.body.dataset.events);
  const lost = document.getElementById("lost");

  source.addEventListener("figures", (e) => {
    lost.hidden = true;
    const figures = JSON.parse(e.data);
    for (const place of document.querySelectorAll("[data-live]")) {
      const text = figures[place.dataset.live];
      if (text !== undefined && place.textContent !== text) place.textContent = text;
    }
  });

  // The page's other parts have changed: take them from the page as it is now.
  source.addEventListener("changed", async () => {
    const reply = await fetch(location.href);
    const page = new DOMParser().parseFromString(await reply.text(), "text/html");
    document.querySelector("main").replaceWith(page.querySelector("main"));
  });

  source.addEventListener("end", (e) => {
    source.close();
    const ended = document.getElementById("ended");
    if (ended && e.data === "complete") ended.hidden = false;
  });

  source.addEventListener("error", () => { lost.hidden = false; });
})();
