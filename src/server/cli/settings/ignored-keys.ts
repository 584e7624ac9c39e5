import type { LoadedConfig } from '../../config/load-config.ts'
import { optionNamed } from '../../config/option.ts'
import { servingOptionList } from '../../config/serving-options.ts'
import { userFlags } from '../users/user-flags.ts'
import { settingFlags } from './setting-flags.ts'

const settingOptions = [...settingFlags, ...userFlags].map(({ option }) => option)
const prefixes = ['FB_', 'STOWAGE_']

/**
 * Returns a warning for each key of the configuration file that has no effect, and for each environment variable with the
 * name of a setting. Settings are in the database, where the screens and `config set` change them.
 */
export function ignoredKeyWarnings(
  { ignoredKeys, configurationFile }: Pick<LoadedConfig, 'ignoredKeys' | 'configurationFile'>,
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  return [
    ...ignoredKeys.map((key) => {
      const setting = optionNamed(settingOptions, key)
      const from = `${configurationFile}: ${key}`
      return setting === undefined
        ? `${from} has no effect: there is no such option`
        : settingWarning(from, setting.name)
    }),
    ...Object.keys(env).flatMap((variable) => {
      const prefix = prefixes.find((start) => variable.startsWith(start))
      const name = prefix === undefined ? '' : variable.slice(prefix.length)
      const setting = optionNamed(settingOptions, name)
      const isIgnored = setting !== undefined && optionNamed(servingOptionList, name) === undefined
      return isIgnored ? [settingWarning(variable, setting.name)] : []
    }),
  ]
}

const settingWarning = (from: string, name: string): string =>
  `${from} has no effect: it is a setting in the database, which the screen of the settings changes, or the command: stowage config set --${name}=…`
