import type { AccessRule } from '../../../shared/domain/access.ts'
import { relativePath, isWithin, namesOf, root, type Path } from '../../../shared/domain/path.ts'
import { confinedScope } from '../../access/narrow-to-user.ts'
import type { FolderMapper } from './folder-mapper.ts'
import { escapeRegex, type QuantumSource } from './quantum-sources.ts'
import type { QuantumAccess, QuantumAccessRule } from './read-quantum.ts'

/** A folder of a source, and its place in the served folder. */
export type SourceFolder = {
  readonly source: QuantumSource
  /** The path in the source. */
  readonly path: Path
  /** The path in the served folder. */
  readonly at: Path
}

export type QuantumRulesOptions = {
  readonly access: QuantumAccess
  readonly mapFolder: FolderMapper
  /** The folder in which the rules apply: the scope of the user. */
  readonly base: Path
}

/**
 * Returns the rules that give a user the same access to a folder as the access rules of FileBrowser Quantum. FileBrowser
 * Quantum evaluates the rules of an entry and of the folders above it, from the entry upwards: the first rule that names
 * the user or a group of the user decides. If no rule names the user, a rule that denies everybody decides, and then the
 * default of the source. In Stowage the last matching rule decides, so the returned rules have the opposite order. The
 * exclusions of the source come last, because no rule may override them.
 */
export function rulesInPlace(
  username: string,
  place: SourceFolder,
  { access, mapFolder, base }: QuantumRulesOptions,
): readonly AccessRule[] {
  const { source } = place
  const at = (path: string): Path | null => clampedTo(place.at, mapFolder(source.path, path)?.path ?? null)
  const ruleAt = (allow: boolean, path: Path | null): readonly AccessRule[] =>
    path === null ? [] : [pathRule(allow, relativePath(path, base))]
  const ofSource = access.rules.filter((rule) => rule.source === source.path)
  return [
    ...(source.deniesByDefault ? [denyBelow(relativePath(place.at, base))] : []),
    ...ofSource.filter(({ deniesAll }) => deniesAll).flatMap(({ path }) => ruleAt(false, at(path))),
    ...ofSource
      .toSorted((a, b) => depthOf(a.path) - depthOf(b.path))
      .flatMap((rule) => {
        const verdict = verdictOn(username, rule, access)
        return verdict === null ? [] : ruleAt(verdict, at(rule.path))
      }),
    ...source.exclusions.flatMap((exclusion) =>
      'path' in exclusion
        ? ruleAt(false, at(exclusion.path))
        : nameRules(exclusion.namePattern, place, relativePath(place.at, base)),
    ),
  ]
}

/** Returns the reasons why the users of a source may have been restricted more than the rules here restrict them. */
export function lostRestrictionsOf(
  source: QuantumSource,
  access: QuantumAccess,
  isConfigured: (path: string) => boolean,
): readonly string[] {
  const unknownGroups = access.rules
    .filter((rule) => rule.source === source.path)
    .flatMap(({ path, denied }) =>
      [...denied.groups]
        .filter((group) => !access.groups.has(group))
        .map((group) => `the access rule ${path} denies the group ${group}, whose members are not known`),
    )
  const foreignRules = access.rules
    .filter((rule) => !isConfigured(rule.source) && isRestricting(rule))
    .map(
      ({ path, source: other }) => `the access rule ${path} is for ${other}, which is no configured source`,
    )
  return [
    ...(source.unknownRestrictions.length > 0
      ? [
          `a source hides entries or has settings that have no counterpart here (${source.unknownRestrictions.join(', ')})`,
        ]
      : []),
    ...unknownGroups,
    ...foreignRules,
  ]
}

const isRestricting = ({ deniesAll, denied }: QuantumAccessRule): boolean =>
  deniesAll || denied.users.size + denied.groups.size > 0

/** Returns a sentence about each access rule, or name in it, that has no effect here. */
export const rulesWithoutEffect = (
  { rules, groups }: QuantumAccess,
  mapFolder: FolderMapper,
  isConfigured: (path: string) => boolean,
): readonly string[] =>
  rules.flatMap(({ source, path, denied, allowed }) => {
    const name = `The access rule ${path} of ${source} has no effect`
    if (!isConfigured(source)) return [`${name}, because the source is not configured.`]
    if (mapFolder(source, path) === null) return [`${name}, because the path is not below the served folder.`]
    return [...denied.groups, ...allowed.groups]
      .filter((group) => !groups.has(group))
      .map((group) => `${name} on the group ${group}, because its members are not known.`)
  })

const depthOf = (path: string): number => namesOf(confinedScope(path) ?? root).length

/** Returns true when a rule allows a user, false when it denies the user, and null when it does not name the user. */
function verdictOn(username: string, rule: QuantumAccessRule, { groups }: QuantumAccess): boolean | null {
  const isNamed = (names: QuantumAccessRule['denied']): boolean =>
    names.users.has(username) || [...names.groups].some((group) => groups.get(group)?.has(username) === true)
  if (isNamed(rule.denied)) return false
  return isNamed(rule.allowed) ? true : null
}

/** Returns the root of the intersection of two trees: the deeper of both paths, or null for disjoint trees. */
function clampedTo(place: Path, path: Path | null): Path | null {
  if (path === null) return null
  if (isWithin(path, place)) return path
  return isWithin(place, path) ? place : null
}

export const pathRule = (allow: boolean, path: Path): AccessRule => ({
  regex: false,
  allow,
  path,
  regexp: null,
})

/** Returns a rule that denies all entries below a folder. The folder itself stays, so that entries in it can be allowed. */
export const denyBelow = (folder: Path): AccessRule =>
  regexRule(`^${folder === root ? '' : escapeRegex(folder)}/.`)

const regexRule = (raw: string): AccessRule => ({ regex: true, allow: false, path: '', regexp: { raw } })

/** Returns the rule that hides entries whose names match. Denies the whole folder when it or a parent folder matches. */
function nameRules(namePattern: string, { path }: SourceFolder, at: Path): readonly AccessRule[] {
  const name = `/${namePattern}(?:/|$)`
  if (new RegExp(name, 's').test(path)) return [pathRule(false, at)]
  return [regexRule(`^${at === root ? '' : escapeRegex(at)}(?:/.*)?${name}`)]
}
