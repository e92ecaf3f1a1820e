/** Finding and reading fixtures. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The nearest folder above this file that has the fixtures. */
export function rootFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "fixtures", "cases"))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error("no folder above has fixtures/cases");
    folder = parent;
  }
  return folder;
}

/** A text below the root. */
export function readText(...path: readonly string[]): string {
  return readFileSync(join(rootFolder(), ...path), "utf8");
}

/** The value of a JSON file below the root, of which the caller knows the shape. */
export function readJson<T>(...path: readonly string[]): T {
  return JSON.parse(readText(...path)) as T;
}

/** The names of the JSON files in a folder below the root. */
export function jsonFiles(...path: readonly string[]): string[] {
  return readdirSync(join(rootFolder(), ...path))
    .filter((name) => name.endsWith(".json"))
    .sort();
}
