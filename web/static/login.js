const form = document.getElementById("login");
const trouble = form.querySelector(".trouble");

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const body = JSON.stringify({ role: form.dataset.role, pin: form.pin.value });
  const headers = { "Content-Type": "application/json" };
  try {
    const answer = await fetch("/api/login", { method: "POST", headers, body });
    if (answer.ok) {
      window.location.reload();
      return;
    }
    trouble.textContent = (await answer.json()).text;
  } catch (error) {
    trouble.textContent = form.dataset.away;
  }
  form.pin.value = "";
  form.pin.focus();
});
