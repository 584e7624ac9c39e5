import type { OptionKind } from './option-kinds.ts'

/** One option of the program. It has the same name as a flag, in the environment and in the configuration file. */
export type Option<T = unknown> = {
  /** The name as in `--name`. Look-ups ignore hyphens, dots and case: `--base-url` and `FB_BASEURL` mean `baseURL`. */
  readonly name: string
  readonly short?: string
  /** Names of older versions that are not mere spellings of the current name. */
  readonly aliases?: readonly string[]
  readonly kind: OptionKind<T>
  readonly default: T
  /** One sentence for the manual. */
  readonly meaning: string
  /** `config init` and `config set` do not store this option in the database. */
  readonly isUnstored?: true
}

/** Returns its argument and thereby infers the exact type of an option's value. */
export const option = <T>(definition: Option<T>): Option<T> => definition

/**
 * Returns a name in the form in which names are compared: `--disable-exec`, `disableExec` and `DISABLE_EXEC` are equal.
 */
export const comparableName = (name: string): string => name.toLowerCase().replaceAll(/[-_.]/g, '')

/** Returns the option with a name in any spelling, or undefined when there is none. */
export const optionNamed = (options: readonly Option[], name: string): Option | undefined => {
  const comparedName = comparableName(name)
  return options.find(
    (option) =>
      comparableName(option.name) === comparedName ||
      option.aliases?.some((alias) => comparableName(alias) === comparedName),
  )
}

/** Returns the name of an option's environment variable as the manual writes it, such as `STOWAGE_BASE_URL`. */
export const environmentName = (option: Pick<Option, 'name'>): string =>
  `STOWAGE_${option.name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[.-]/g, '_')
    .toUpperCase()}`
