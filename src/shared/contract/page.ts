/** What the page tells the client, under `<script type="application/json" id="config">` (contract 13.1, with every key). */
export type PageConfiguration = {
  readonly Name: string
  readonly DisableExternal: boolean
  readonly DisableUsedPercentage: boolean
  readonly Color: string
  readonly BaseURL: string
  readonly StaticURL: string
  readonly Version: string
  readonly Signup: boolean
  readonly NoAuth: boolean
  readonly AuthMethod: string
  readonly LogoutPage: string
  readonly LoginPage: boolean
  readonly CSS: boolean
  readonly ReCaptcha: boolean
  readonly ReCaptchaHost?: string
  readonly ReCaptchaKey?: string
  readonly Theme: '' | 'light' | 'dark'
  readonly EnableThumbs: boolean
  readonly ResizePreview: boolean
  readonly EnableExec: boolean
  readonly TusSettings?: { readonly chunkSize: number; readonly retryCount: number }
  readonly HideLoginButton: boolean
  readonly ReportIssueURL: string
  /** What the server can do beyond the specification; the client works without any of it. */
  readonly Features: readonly Feature[]
}

export type Feature = 'rows' | 'events' | 'sessions'
