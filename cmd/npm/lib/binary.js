// Finds the concur command of the package for this platform.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** A failure of the concur command. exitCode is its exit code, or null if it did not end by itself. */
export class ConcurError extends Error {
  constructor(message, exitCode = null) {
    super(message);
    this.name = "ConcurError";
    this.exitCode = exitCode;
  }
}

/** Returns the path of the concur command. CONCUR_BINARY names another one; the PATH is not searched. */
export function binary() {
  const named = process.env.CONCUR_BINARY;
  if (named) {
    if (existsSync(named)) return named;
    throw new ConcurError(`CONCUR_BINARY names ${named}, which is not a file: correct it, or unset it`);
  }
  const name = `@concur-eval/${process.platform}-${process.arch}`;
  try {
    return require.resolve(`${name}/bin/${process.platform === "win32" ? "concur.exe" : "concur"}`);
  } catch {
    throw new ConcurError(
      `concur-eval has no command for this platform: install ${name}, without --omit=optional, or name a command in CONCUR_BINARY`,
    );
  }
}

/** Returns the environment of a command: this process's, with other variables. */
export function environment(more = {}) {
  const { CONCUR_BINARY: _, ...env } = process.env;
  return { ...env, ...more };
}
