import type { FoundNames } from '../storage/port.ts'

/** What is found, with null for each while in which nothing was. */
type Found = AsyncIterable<FoundNames | null>

/** One hit a line; an empty line says that the search goes on. Cut off at `mostHits`, and then the last line says so. */
export async function* hitLines(found: Found, mostHits = Number.POSITIVE_INFINITY): AsyncGenerator<string> {
  let left = mostHits
  for await (const names of found) {
    if (names === null) {
      yield '\n'
      continue
    }
    const taken = hitsOf(names).slice(0, left)
    if (taken.length > 0) yield `${taken.join('\n')}\n`
    if (taken.length < names.paths.length) {
      yield '{"truncated":true}\n'
      return
    }
    left -= taken.length
  }
}

/** All hits as one array, written as they come; while nothing comes, white space keeps the connection. */
export async function* hitList(found: Found): AsyncGenerator<string> {
  let opening = '['
  for await (const names of found) {
    if (names === null) {
      yield opening === '[' ? '[\n' : '\n'
      if (opening === '[') opening = ''
      continue
    }
    if (names.paths.length === 0) continue
    yield opening + hitsOf(names).join(',')
    opening = ','
  }
  yield opening === '[' ? '[]' : ']'
}

const hitsOf = ({ paths, folders }: FoundNames): string[] =>
  paths.map((path, at) => {
    const isFolder = folders[at] === true
    return `{"dir":${isFolder},"isDir":${isFolder},"path":${JSON.stringify(path)}}`
  })
