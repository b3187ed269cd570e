// The console's languages. Each module keeps its own texts.

const KEY = "gatehouse-console-language";

export const languages = { en: "English", de: "Deutsch", vi: "Tiếng Việt" };

let current = [localStorage.getItem(KEY), ...navigator.languages]
  .map((tag) => tag?.slice(0, 2).toLowerCase())
  .find((tag) => tag in languages) ?? "en";

export function language() { return current; }

export function setLanguage(tag) {
  current = tag;
  localStorage.setItem(KEY, tag);
}

/**
 * The texts of a module, by language and key. `t("users", {count: 1})` takes the text `users.one`
 * if there is one; numbers are written as the language writes them.
 */
export function texts(byLanguage) {
  const t = (key, values = {}) => {
    const own = byLanguage[current];
    const text = (values.count === 1 && own[`${key}.one`]) || (own[key] ?? byLanguage.en[key] ?? key);
    return text.replace(/\{(\w+)\}/g, (placeholder, name) => {
      const value = values[name];
      if (value === undefined) return placeholder;
      return typeof value === "number" ? value.toLocaleString(current) : String(value);
    });
  };
  /** Whether there is a text, for keys that come from the server. */
  t.has = (key) => Object.hasOwn(byLanguage.en, key);
  return t;
}
