import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { licenceTexts } from './licence-texts.ts'
import {
  licencesIn,
  readLockfile,
  root,
  rootPackages,
  shippedPackages,
  type ShippedPackage,
} from './shipped-packages.ts'

const head = `Stowage
Copyright the Stowage authors. Licensed under the Apache License, Version 2.0 (see LICENSE).

This product holds, or is installed together with, the packages below. This file is made by \`npm run notice\`.
`

/** Returns the text of NOTICE, which depends on the lockfile and on the packages that the source imports. */
export function noticeText(): string {
  const lockfile = readLockfile()
  const shipped = shippedPackages(lockfile, rootPackages(lockfile))
  const licences = [...new Set(shipped.flatMap(({ license }) => licencesIn(license)))].sort()
  const rows = shipped.map((item) =>
    [
      `${item.name} ${item.version} (${licencesIn(item.license).join(' AND ')})`,
      ...copyrights(item).map((line) => `  ${line}`),
    ].join('\n'),
  )
  const texts = licences.map((name) => `${name}\n${'-'.repeat(name.length)}\n${licenceTexts[name] ?? ''}`)
  return `${[head, [...new Set(rows)].join('\n'), '', ...texts].join('\n\n')}\n`
}

/**
 * Returns the lines that name the copyright holders. Packages for a single operating system are skipped: they are not
 * installed on other systems, and their copyright holders are those of their parent package.
 */
function copyrights({ folder, name }: ShippedPackage): string[] {
  const packageFolder = path.join(root, folder)
  const isOfOneSystem = /-(linux|darwin|win32|android|freebsd|openbsd|wasm32)\b/.test(name)
  if (isOfOneSystem || !existsSync(packageFolder)) return []
  const files = readdirSync(packageFolder).filter((file) => /^(licen[cs]e|copying)/i.test(file))
  const lines = files.flatMap((file) => readFileSync(path.join(packageFolder, file), 'utf8').split('\n'))
  const owners = lines.filter((line) => /^\W*copyright\b.*(\(c\)|©|\d{4})/i.test(line))
  return [...new Set(owners.map((line) => line.trim().replace(/^\W+/, '')))].slice(0, 5)
}
