import { shownOptionNames, type ServerOption } from '../../shared/contract/settings.ts'
import type { LoadedConfig } from './load-config.ts'
import { servingOptions, type Config } from './serving-options.ts'

/** Returns the options that administrators see, with their values as texts. An option without a source has its default. */
export const optionsForAdministrators = (
  config: Config,
  sources: Partial<LoadedConfig['sources']>,
): readonly ServerOption[] =>
  shownOptionNames.map((key) => ({
    name: key,
    value: textOfOption(key, config[key]),
    source: sources[key] ?? 'default',
  }))

/** Returns the value of an option as a text, with the unit that the option takes on the command line. */
export function textOfOption(key: keyof Config, value: Config[keyof Config]): string {
  const { name } = servingOptions[key].kind
  if (name === 'mode') return `0${Number(value).toString(8)}`
  if (name === 'duration') return `${Number(value) / 1000}s`
  return Array.isArray(value) ? value.join(',') : String(value)
}
