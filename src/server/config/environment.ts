import { environmentName, optionNamed, type Option } from './option.ts'

/** Later ones count before earlier ones. */
const prefixes = ['FB_', 'STOWAGE_'] as const

export type EnvironmentText = { readonly text: string; readonly variable: string }

/**
 * What the environment says, by option name. Every spelling of a name is taken (`FB_BASEURL`, `FB_BASE_URL`, `FB_disable-exec`); the
 * one with underscores counts first. An empty text says nothing.
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
      const isProper = variable.slice(prefix.length) === environmentName(option).slice('STOWAGE_'.length)
      if (taken.has(option.name) && !isProper) continue
      taken.add(option.name)
      found.set(option.name, { text, variable })
    }
  }
  return found
}
