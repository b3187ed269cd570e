// The data that the server put into the page, and the texts in the page's language.

export const data = JSON.parse(document.getElementById("data").textContent);

/** A text by its name; `{name}` in it is replaced by the value of that name. */
export function text(name, values = {}) {
  const found = data.texts[name] ?? name;
  return found.replace(/\{(\w+)\}/g, (_, key) => values[key] ?? "");
}

/** The display name of a provider. */
export function providerName(id) {
  const known = data.providers.find((provider) => provider.id === id);
  return known?.name ?? { password: text("password"), phone: text("phone") }[id] ?? id;
}

/** The page's URL without the parameters of a sign-in; a chosen language stays. */
export const home = new URLSearchParams(location.search).has("hl") ? `/?hl=${data.language}` : "/";

export function date(value) {
  return new Intl.DateTimeFormat(data.language, { dateStyle: "medium", timeStyle: "medium" })
    .format(value);
}

/** `4:05` */
export function minutes(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
