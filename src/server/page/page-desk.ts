import type { Foreground, Shown } from '../http/answer/static-files.ts'
import type { Page } from '../http/http-options.ts'
import type { Settings, SettingsStore, SignIn } from '../records/port.ts'
import { findBranded, lookAtBranding, type Branding } from './branding-folder.ts'
import { pageConfiguration, type PageFacts } from './page-configuration.ts'
import { renderPage } from './render-page.ts'
import { manifestName, webManifest } from './web-manifest.ts'

export type PageNeeds = {
  readonly settings: Pick<SettingsStore, 'get' | 'signIn'>
  /** The client's template. */
  readonly template: string
  readonly basePath: string
  readonly version: string
  readonly server: Pick<PageFacts, 'enableThumbs' | 'resizePreview' | 'enableExec'>
  readonly onFault: (error: unknown) => void
  readonly nowMs: () => number
}

/** How old the settings on the page may be: a reload shows what was changed. */
const freshMs = 1000

export type PageDesk = {
  readonly page: () => Page
  /** The web manifest, and the files of the branding folder: what stands before the files of the build. */
  readonly foreground: Foreground
  /** To be called when this process has changed a setting: the next page shows it. */
  readonly refresh: () => Promise<void>
}

/** The page as it is now. It is made once, and again when the settings or the branding files on it have changed. */
export async function createPageDesk(needs: PageNeeds): Promise<PageDesk> {
  let known = await readKnown(needs)
  let made = make(needs, known)
  let readAtMs = needs.nowMs()
  let reads = 0

  async function refresh(): Promise<void> {
    readAtMs = needs.nowMs()
    const mine = (reads += 1)
    const now = await readKnown(needs)
    // What was read before somebody else began to read is older than what they will find.
    if (mine !== reads) return
    if (JSON.stringify(now) === JSON.stringify(known)) return
    known = now
    made = make(needs, known)
  }

  const isOld = (): boolean => needs.nowMs() - readAtMs > freshMs

  return {
    refresh,
    page() {
      if (isOld()) refresh().catch(needs.onFault)
      return made.page
    },
    async foreground(rest) {
      if (isOld()) await refresh().catch(needs.onFault)
      return rest === manifestName ? made.manifest : findBranded(known.folder, rest)
    },
  }
}

/** All that the page and the manifest are made of. */
type Known = { readonly facts: PageFacts; readonly folder: string; readonly branding: Branding }

async function readKnown(needs: PageNeeds): Promise<Known> {
  const settings = await needs.settings.get()
  const { recaptcha } = await needs.settings.signIn()
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
