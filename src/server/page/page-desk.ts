import type { Foreground, Shown } from '../http/answer/static-files.ts'
import type { Page } from '../http/http-options.ts'
import type { Records, Settings, SettingsStore, SignIn } from '../records/port.ts'
import { findBranded, lookAtBranding, type Branding } from './branding-folder.ts'
import { pageConfiguration, type PageFacts } from './page-configuration.ts'
import { renderPage } from './render-page.ts'
import { manifestName, webManifest } from './web-manifest.ts'

export type PageNeeds = {
  readonly records: Pick<Records, 'version'> & { readonly settings: Pick<SettingsStore, 'get' | 'signIn'> }
  /** The client's template. */
  readonly template: string
  readonly basePath: string
  readonly version: string
  readonly server: Pick<PageFacts, 'enableThumbs' | 'resizePreview' | 'enableExec'>
  readonly onFault: (error: unknown) => void
  readonly nowMs: () => number
}

/** How old the branding files on the page may be, and the settings where the database does not tell when they change. */
const freshMs = 1000

export type PageDesk = {
  readonly page: () => Promise<Page>
  /** The web manifest, and the files of the branding folder: what stands before the files of the build. */
  readonly foreground: Foreground
  /** To be called when this process has changed a setting: the next page shows it. */
  readonly refresh: () => Promise<void>
}

/**
 * The page as it is now. It is made once, and again when the settings or the branding files on it have changed: whoever asks after a
 * change waits for the new one. When they cannot be read, the page stays as it was.
 */
export async function createPageDesk(needs: PageNeeds): Promise<PageDesk> {
  let asOf = presentOf(needs)
  let known = await readKnown(needs)
  let made = make(needs, known)
  let reads = 0
  let newestRead = 0
  let reading: Promise<void> = Promise.resolve()

  async function refresh(): Promise<void> {
    asOf = presentOf(needs)
    const mine = (reads += 1)
    const now = await readKnown(needs)
    // Who began to read later has found what is newer.
    if (mine < newestRead) return
    newestRead = mine
    if (JSON.stringify(now) === JSON.stringify(known)) return
    known = now
    made = make(needs, known)
  }

  function isOld(): boolean {
    const { version, atMs } = presentOf(needs)
    return version !== asOf.version || atMs - asOf.atMs > freshMs
  }

  /** Who comes while it is read waits for the same. */
  async function untilFresh(): Promise<void> {
    try {
      if (isOld()) reading = refresh().catch(needs.onFault)
    } catch (error) {
      needs.onFault(error)
    }
    await reading
  }

  return {
    refresh,
    async page() {
      await untilFresh()
      return made.page
    },
    async foreground(rest) {
      await untilFresh()
      return rest === manifestName ? made.manifest : findBranded(known.folder, rest)
    },
  }
}

/** What the settings are read as of; the version is null where the database does not tell. */
type AsOf = { readonly version: number | null; readonly atMs: number }

const presentOf = ({ records, nowMs }: PageNeeds): AsOf => ({
  version: records.version?.() ?? null,
  atMs: nowMs(),
})

/** All that the page and the manifest are made of. */
type Known = { readonly facts: PageFacts; readonly folder: string; readonly branding: Branding }

async function readKnown(needs: PageNeeds): Promise<Known> {
  const settings = await needs.records.settings.get()
  const { recaptcha } = await needs.records.settings.signIn()
  const folder = settings.branding.files
  return { facts: factsOf(needs, settings, recaptcha), folder, branding: await lookAtBranding(folder) }
}

function make({ template }: PageNeeds, { facts, branding }: Known): { page: Page; manifest: Shown } {
  const configuration = pageConfiguration({ ...facts, hasCss: branding.hasStyle })
  return {
    page: renderPage(template, configuration, branding.icons),
    manifest: webManifest(configuration, branding.icons),
  }
}

const factsOf = (
  { basePath, version, server }: PageNeeds,
  settings: Settings,
  captcha: SignIn['recaptcha'],
): PageFacts => ({
  ...server,
  basePath,
  version,
  authMethod: settings.authMethod,
  name: settings.branding.name,
  color: settings.branding.color,
  theme: settings.branding.theme,
  disableExternal: settings.branding.disableExternal,
  disableUsedPercentage: settings.branding.disableUsedPercentage,
  reportIssueURL: settings.branding.reportIssueURL,
  signup: settings.signup,
  hideLoginButton: settings.hideLoginButton,
  logoutPage: settings.logoutPage,
  tus: settings.tus,
  ...(captcha === null ? {} : { captcha }),
})
