import { access, constants, stat } from 'node:fs/promises'

/** Where programs are looked for, whatever the server's own environment says. */
export const trustedPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** The absolute path of a program by its bare name; null where there is none. */
export async function findProgram(name: string): Promise<string | null> {
  if (name === '' || name.includes('/') || name.includes('\0')) return null
  for (const folder of trustedPath.split(':')) {
    const file = `${folder}/${name}`
    if (await isProgram(file)) return file
  }
  return null
}

async function isProgram(file: string): Promise<boolean> {
  try {
    if (!(await stat(file)).isFile()) return false
    await access(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
