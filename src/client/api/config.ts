import type { Feature, PageConfiguration } from '../../shared/contract/page.ts'

/** The defaults for a page without a configuration: a server at the root without any optional feature. */
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

/**
 * Returns the configuration that the server wrote into the page. Missing keys have the defaults of the specification.
 */
export function config(): PageConfiguration {
  read ??= { ...plain, ...parse(textOfPage()) }
  return read
}

/** True when the server announces a feature beyond the specification. */
export const offers = (feature: Feature): boolean => config().Features.includes(feature)

/** Returns the name of the instance as it is shown. */
export const instanceName = (): string => config().Name || 'Stowage'

/** Reads the configuration's text from the page. Empty outside a page, as in a test. */
const textOfPage = (): string =>
  typeof document === 'undefined' ? '' : (document.querySelector('#config')?.textContent ?? '')

function parse(text: string): Partial<PageConfiguration> {
  try {
    return JSON.parse(text) as Partial<PageConfiguration>
  } catch {
    return {}
  }
}
