import { existsSync } from 'node:fs'
import path from 'node:path'
import { SetupError, mayInstall, run, step } from './steps.js'

/** The headless Chromium. With it, the end-to-end tests need a fifth less of processor time. */
const shell = 'chromium-headless-shell'
const names = [shell, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']

/** Paths of browsers that are installed outside the search path. */
const knownPaths = [
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
]

/**
 * Returns the path of the browser for the end-to-end tests. On Debian and Ubuntu, a missing browser is installed when
 * this process may install packages.
 * @returns {Promise<string>}
 */
export async function findOrInstallBrowser() {
  const existing = findBrowser()
  if (existing !== null) return existing
  if (process.env['CHROME_PATH'] || !mayInstall()) throw new SetupError(`No Chromium was found. ${advice}`)
  await step('Installing Chromium (once, about 120 MB to fetch)', installBrowser)
  const fresh = findBrowser()
  if (fresh === null) throw new SetupError(`Chromium was installed, but cannot be found. ${advice}`)
  return fresh
}

const advice =
  'The end-to-end tests need a real browser: install Chromium or Google Chrome ' +
  '(Debian and Ubuntu: `sudo apt-get install chromium`; macOS: `brew install --cask chromium`), ' +
  'or name its program in CHROME_PATH, then start again.'

/** @returns {string | null} */
function findBrowser() {
  const named = process.env['CHROME_PATH']
  if (named) return existsSync(named) ? named : null
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '')
  const candidates = names.flatMap((name) => folders.map((folder) => path.join(folder, name)))
  return [...candidates, ...knownPaths].find((candidate) => existsSync(candidate)) ?? null
}

/** Installs the headless browser, or the ordinary browser where the distribution has no headless one. */
async function installBrowser() {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const aptGet = (/** @type {readonly string[]} */ ...words) =>
    run(['apt-get', ...words], { folder: '/', env })
  await aptGet('update', '-q')
  for (const name of [shell, 'chromium']) {
    const { code, output } = await aptGet('install', '-y', '-q', '--no-install-recommends', name)
    if (code === 0) return
    if (name === 'chromium')
      throw new SetupError(`apt-get could not install Chromium. It said:\n\n${output.trim()}\n\n${advice}`)
  }
}
