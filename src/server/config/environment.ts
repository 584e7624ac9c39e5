import { environmentName, optionNamed, type Option } from './option.ts'

/**
 * The prefixes of environment variables. A variable with a later prefix overrides a variable with an earlier prefix.
 */
const prefixes = ['FB_', 'STOWAGE_'] as const

/** The text of an option from the environment, and the name of its environment variable. */
export type EnvironmentText = { readonly text: string; readonly variable: string }

/**
 * Returns the texts of all options that are set in the environment, by option name. Every spelling of a name is
 * accepted (`FB_BASEURL`, `FB_BASE_URL`, `FB_disable-exec`); the spelling with underscores takes precedence. Empty
 * texts are ignored.
 */
export function readEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  options: readonly Option[],
): ReadonlyMap<string, EnvironmentText> {
  const found = new Map<string, EnvironmentText>()
  for (const prefix of prefixes) {
    const taken = new Set<string>()
    for (const variable of Object.keys(env).filter((name) => name.startsWith(prefix))) {
      const option = optionNamed(options, variable.slice(prefix.length))
      const text = env[variable]
      if (!option || text === undefined || text === '') continue
      const isDocumentedSpelling =
        variable.slice(prefix.length) === environmentName(option).slice('STOWAGE_'.length)
      if (taken.has(option.name) && !isDocumentedSpelling) continue
      taken.add(option.name)
      found.set(option.name, { text, variable })
    }
  }
  return found
}
