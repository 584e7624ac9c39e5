import { licenceTexts } from './licence-texts.ts'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { packageOf } from '../test/architecture/rules/imports.ts'
import { readTree } from '../test/architecture/source-tree.ts'

/** A package in the lockfile. */
export type LockedPackage = {
  readonly version?: string
  readonly license?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly hasInstallScript?: boolean
  /** The operating systems, processors and C libraries for which the package is. */
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly libc?: readonly string[]
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}
/** The content of a lockfile: its packages by path. The empty path denotes the project itself. */
export type Lockfile = { readonly packages: Readonly<Record<string, LockedPackage>> }

/** A package that is distributed with the product: it is bundled into the product, or installed with it. */
export type ShippedPackage = {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly folder: string
}

/** The root folder of the project. */
export const root = path.resolve(import.meta.dirname, '..')

export const readLockfile = (): Lockfile =>
  JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as Lockfile

/**
 * Returns the names of the packages that the source imports at run time, and of the packages that are installed with
 * the product.
 */
export function rootPackages({ packages }: Lockfile): string[] {
  const imported = readTree(path.join(root, 'src')).files.flatMap(({ imports }) =>
    imports
      .filter(({ from, target, isType }) => target === null && !isType && !/^(node|virtual):/.test(from))
      .map(({ from }) => packageOf(from)),
  )
  return [...new Set([...imported, ...Object.keys(packages['']?.dependencies ?? {})])].sort()
}

/**
 * Returns the named packages and all their dependencies according to the lockfile. The result is the same on every
 * operating system.
 */
export function shippedPackages(lockfile: Lockfile, names: readonly string[]): ShippedPackage[] {
  const found = new Map<string, ShippedPackage>()
  const add = (name: string, from: string): void => {
    const folder = packagePathOf(lockfile, name, from)
    if (folder === null || found.has(folder)) return
    const { version = '', license = '', dependencies, optionalDependencies } = lockfile.packages[folder] ?? {}
    found.set(folder, { name, version, license, folder })
    for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) add(needed, folder)
  }
  for (const name of names) add(name, '')
  return [...found.values()].sort((a, b) => (a.folder < b.folder ? -1 : 1))
}

/**
 * Returns the licences that apply to a package with an SPDX expression: all that `AND` joins. Of licences that `OR` joins,
 * the first one with a text in `licenceTexts` is chosen.
 */
export const licencesIn = (expression: string): string[] =>
  expression
    .replace(/^\((.*)\)$/, '$1')
    .split(' AND ')
    .map((term) => {
      const choices = term.replace(/^\((.*)\)$/, '$1').split(' OR ')
      return choices.find((name) => name in licenceTexts) ?? term
    })

/**
 * Returns the path in the lockfile to which Node resolves an import of a package: in the importing package, or in one
 * of its parent folders.
 */
function packagePathOf({ packages }: Lockfile, name: string, from: string): string | null {
  for (let above = from; ; above = above.slice(0, Math.max(above.lastIndexOf('/node_modules/'), 0))) {
    const folder = `${above === '' ? '' : `${above}/`}node_modules/${name}`
    if (packages[folder] !== undefined) return folder
    if (above === '') return null
  }
}
