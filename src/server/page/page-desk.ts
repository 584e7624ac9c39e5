import type { Page } from '../http/http-options.ts'
import type { Settings, SettingsStore, SignIn } from '../records/port.ts'
import { pageConfiguration, type PageFacts } from './page-configuration.ts'
import { renderPage } from './render-page.ts'

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
  /** To be called when this process has changed a setting: the next page shows it. */
  readonly refresh: () => Promise<void>
}

/** The page as it is now. It is made once, and again when the settings on it have changed. */
export async function createPageDesk(needs: PageNeeds): Promise<PageDesk> {
  let facts = await readFacts(needs)
  let page = renderPage(needs.template, pageConfiguration(facts))
  let readAtMs = needs.nowMs()

  async function refresh(): Promise<void> {
    const now = await readFacts(needs)
    if (JSON.stringify(now) === JSON.stringify(facts)) return
    facts = now
    page = renderPage(needs.template, pageConfiguration(facts))
  }

  return {
    refresh,
    page() {
      if (needs.nowMs() - readAtMs > freshMs) {
        readAtMs = needs.nowMs()
        refresh().catch(needs.onFault)
      }
      return page
    },
  }
}

const readFacts = async (needs: PageNeeds): Promise<PageFacts> =>
  factsOf(needs, await needs.settings.get(), (await needs.settings.signIn()).recaptcha)

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
