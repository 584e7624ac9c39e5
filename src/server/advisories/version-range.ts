/** A version of the program, such as `0.1.0` or `1.0.0-beta.2`. */
const versionPattern = /^v?(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?(-[0-9a-z.-]+)?(?:\+.*)?$/i

type Version = { readonly numbers: readonly [number, number, number]; readonly isPreview: boolean }

function parseVersion(text: string): Version | null {
  const [whole, major, minor, patch, preview] = versionPattern.exec(text.trim()) ?? []
  if (whole === undefined) return null
  return {
    numbers: [Number(major), Number(minor ?? 0), Number(patch ?? 0)],
    isPreview: preview !== undefined,
  }
}

/** Compares two versions. A preview precedes its version, and two previews of one version count as equal. */
function compareVersions(one: Version, other: Version): number {
  const difference = one.numbers.map((number, at) => number - (other.numbers[at] ?? 0)).find((by) => by !== 0)
  return difference ?? Number(other.isPreview) - Number(one.isPreview)
}

const comparisons: Readonly<Record<string, (difference: number) => boolean>> = {
  '<': (difference) => difference < 0,
  '<=': (difference) => difference <= 0,
  '>': (difference) => difference > 0,
  '>=': (difference) => difference >= 0,
  '=': (difference) => difference === 0,
}

/**
 * Returns true for a version in a range such as `>= 1.0.0, < 1.0.3`, in the notation of advisories on GitHub. A range or a
 * version that cannot be read counts as affected, so that an administrator sees the advisory.
 */
export function isInRange(version: string, range: string): boolean {
  const own = parseVersion(version)
  if (own === null) return true
  return range.split(',').every((condition) => {
    const [, sign = '', limit = ''] = /^\s*(<=|>=|<|>|=)?\s*(.*)$/.exec(condition) ?? []
    const compared = parseVersion(limit)
    return compared === null || comparisons[sign || '=']?.(compareVersions(own, compared)) === true
  })
}
