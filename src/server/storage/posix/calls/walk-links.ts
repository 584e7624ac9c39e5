import { closeSync } from 'node:fs'
import { AppError } from '../../../../shared/domain/failure.ts'
import { namesOf, type Path } from '../../../../shared/domain/path.ts'
import { kindOf } from '../facts.ts'
import type { Calls, Seat } from './calls.ts'
import { errnoOf, openAt, opening, readLinkAt, realPathOf, reopen } from './descriptors.ts'
import { belowRoot, pathOfNames } from './inside.ts'

type Ways = { readonly calls: Calls; readonly where: { readonly root: number } }

const mostHops = 40

/** The end of a way through links: a handle, or null where the last links lead to nothing. */
export type Reached = { readonly descriptor: number | null; readonly path: Path }

type Walk = { readonly folders: number[]; readonly names: string[]; readonly todo: string[]; hops: number }

/** One open a name, each from the folder before it; links are read and their targets walked likewise, never above the root. */
export function walkLinks(scene: Ways, names: readonly string[]): Reached {
  const walk: Walk = {
    folders: [reopen(scene.where.root, opening.followingHandle)],
    names: [],
    todo: names.toReversed(),
    hops: 0,
  }
  try {
    while (walk.todo.length > 0) {
      if (!step(scene, walk)) return { descriptor: null, path: missingPath(walk) }
    }
    const descriptor = walk.folders.pop() ?? -1
    return { descriptor, path: pathOfNames(walk.names) }
  } finally {
    for (const descriptor of walk.folders) closeSync(descriptor)
  }
}

/** Takes the next name; false when nothing is there. */
function step(scene: Ways, walk: Walk): boolean {
  const name = walk.todo.pop() ?? ''
  if (name === '' || name === '.') return true
  if (name === '..') return climb(walk)
  const seat: Seat = { folder: walk.folders.at(-1) ?? -1, name }
  let descriptor: number
  try {
    descriptor = openAt(seat, opening.handle)
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error
    walk.todo.push(name)
    return false
  }
  if (kindOf(scene.calls.facts(descriptor)) !== 'link') {
    walk.folders.push(descriptor)
    walk.names.push(name)
    return true
  }
  closeSync(descriptor)
  const target = readLinkNow(seat)
  if (target === null) countHop(walk).todo.push(name)
  else follow(scene, walk, target)
  return true
}

/** Null when something else has come into the link's place: then the name is looked up once more. */
function readLinkNow(seat: Seat): string | null {
  try {
    return readLinkAt(seat)
  } catch (error) {
    if (['EINVAL', 'ENOENT'].includes(errnoOf(error))) return null
    throw error
  }
}

function countHop(walk: Walk): Walk {
  walk.hops += 1
  if (walk.hops > mostHops) throw new AppError('link-loop')
  return walk
}

function climb(walk: Walk): true {
  if (walk.names.pop() === undefined) throw new AppError('forbidden')
  const folder = walk.folders.pop()
  if (folder !== undefined) closeSync(folder)
  return true
}

function follow({ where }: Ways, walk: Walk, target: string): void {
  countHop(walk)
  if (!target.startsWith('/')) {
    walk.todo.push(...target.split('/').toReversed())
    return
  }
  const inside = belowRoot(realPathOf(where.root), target)
  if (inside === null) throw new AppError('forbidden')
  for (const folder of walk.folders.splice(1)) closeSync(folder)
  walk.names.length = 0
  walk.todo.push(...namesOf(inside).toReversed())
}

/** What is not there is judged by its text: it may not climb out either. */
function missingPath({ names, todo }: Walk): Path {
  const path = [...names]
  for (const name of todo.toReversed()) {
    if (name === '' || name === '.') continue
    if (name !== '..') path.push(name)
    else if (path.pop() === undefined) throw new AppError('forbidden')
  }
  return pathOfNames(path)
}
