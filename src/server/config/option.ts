import type { Kind } from './kinds.ts'

/** One thing that can be said to the program: by flag, environment or file, under one name. */
export type Option<T = unknown> = {
  /** As in `--name`. Hyphens, case and the dots do not count when it is looked up: `--base-url` and `FB_BASEURL` are `baseURL`. */
  readonly name: string
  readonly short?: string
  /** Names of older versions that are more than another spelling. */
  readonly aliases?: readonly string[]
  readonly kind: Kind<T>
  readonly default: T
  /** One sentence for the manual. */
  readonly meaning: string
  /** Not kept in the database by `config init` and `config set`. */
  readonly isUnstored?: true
}

/** Keeps the exact type of an option's value. */
export const option = <T>(it: Option<T>): Option<T> => it

/** What is compared of a name: `--disable-exec`, `disableExec` and `DISABLE_EXEC` are one. */
export const plainName = (name: string): string => name.toLowerCase().replaceAll(/[-_.]/g, '')

/** The option of a name, whatever its spelling. */
export const optionNamed = (options: readonly Option[], name: string): Option | undefined => {
  const wanted = plainName(name)
  return options.find(
    (option) =>
      plainName(option.name) === wanted || option.aliases?.some((alias) => plainName(alias) === wanted),
  )
}

/** The environment name that the manual gives: `STOWAGE_BASE_URL`. */
export const environmentName = (option: Pick<Option, 'name'>): string =>
  `STOWAGE_${option.name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[.-]/g, '_')
    .toUpperCase()}`
