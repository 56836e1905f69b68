// A page that is opened sends no key: what is stored is asked for with the one that is entered,
// which stays in this page alone.
const form = document.getElementById("key");
form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const headers = { accept: "text/html", "x-api-key": form.elements.key.value };
  const answer = await fetch(location.href, { headers, cache: "no-store" });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const names = page.getElementById("names");
  if (names === null || names.querySelector("form") !== null) {
    form.querySelector("output").value = "This key may not read.";
  } else {
    document.getElementById("names").replaceWith(document.adoptNode(names));
  }
});
