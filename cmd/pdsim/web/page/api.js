// What the page asks the server.

async function answer(response) {
  const body = await response.json().catch(() => ({ error: `no answer (${response.status})` }));
  if (!response.ok) throw new Error(body.error ?? response.statusText);
  return body;
}

// about is what there is to ask for.
export async function about() {
  return answer(await fetch("api/about"));
}

// ask asks for a run, a timeline or a sweep. A signal gives it up.
export async function ask(what, question, signal) {
  const body = JSON.stringify(question);
  return answer(await fetch(`api/${what}`, { method: "POST", headers: { "Content-Type": "application/json" }, body, signal }));
}
