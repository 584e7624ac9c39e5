import type { OptionKind } from './option-kinds.ts'

/** An option of the program without its name. */
type NamelessOption<T> = {
  readonly short?: string
  /** Former names of the option that older versions used. Other spellings of the current name are not listed. */
  readonly aliases?: readonly string[]
  readonly kind: OptionKind<T>
  readonly default: T
  /** The description of the option in the manual: one sentence. */
  readonly meaning: string
  /** True when `config init` and `config set` do not store this option in the database. */
  readonly isUnstored?: true
}

/**
 * An option of the program. Its name is the same on the command line, in the environment and in the configuration file.
 */
export type Option<T = unknown> = NamelessOption<T> & {
  /**
   * The name as in `--name`. Lookups ignore hyphens, dots, underscores and case, so `--base-url` and `FB_BASE_URL` both
   * refer to `baseURL`.
   */
  readonly name: string
}

/** Returns its argument unchanged. The call lets the compiler infer the type of the option's value. */
export const option = <T>(definition: Option<T>): Option<T> => definition

/** Returns a table of options. An option without a name has the name of its key. */
export const optionTable = <T extends Record<string, unknown>>(definitions: {
  readonly [K in keyof T]: NamelessOption<T[K]> & { readonly name?: string }
}): { readonly [K in keyof T]: Option<T[K]> } =>
  Object.fromEntries(
    Object.entries<object>(definitions).map(([name, definition]) => [name, { name, ...definition }]),
  ) as { readonly [K in keyof T]: Option<T[K]> }

/**
 * Returns the normalised form of a name, which is used to compare names. It is equal for `--disable-exec`,
 * `disableExec` and `DISABLE_EXEC`.
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
