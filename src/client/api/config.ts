import type { Feature, PageConfiguration } from '../../shared/contract/page.ts'

/** What a page without a configuration stands for: a server at the root that offers the specification and no more. */
const plain: PageConfiguration = {
  Name: '',
  DisableExternal: false,
  DisableUsedPercentage: true,
  Color: '',
  BaseURL: '',
  StaticURL: '/static',
  Version: '',
  Signup: false,
  NoAuth: false,
  AuthMethod: 'json',
  LogoutPage: '/login',
  LoginPage: true,
  CSS: false,
  ReCaptcha: false,
  Theme: '',
  EnableThumbs: false,
  ResizePreview: false,
  EnableExec: false,
  HideLoginButton: false,
  ReportIssueURL: '',
  Features: [],
}

let read: PageConfiguration | undefined

/** The configuration that the server wrote into the page. Keys that it leaves out have the specification's meaning. */
export function config(): PageConfiguration {
  read ??= { ...plain, ...parse(textOfPage()) }
  return read
}

/** Whether the server offers something beyond the specification. */
export const offers = (feature: Feature): boolean => config().Features.includes(feature)

/** The name of the instance, as shown. */
export const instanceName = (): string => config().Name || 'Stowage'

/** Outside a page (in a test) there is nothing to read. */
const textOfPage = (): string =>
  typeof document === 'undefined' ? '' : (document.querySelector('#config')?.textContent ?? '')

function parse(text: string): Partial<PageConfiguration> {
  try {
    return JSON.parse(text) as Partial<PageConfiguration>
  } catch {
    return {}
  }
}
