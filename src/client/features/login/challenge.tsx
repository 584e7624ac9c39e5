import { useEffect, useRef } from 'react'
import { config } from '../../api/config.ts'
import styles from './login-screen.module.css'

/**
 * The functions of the challenge service's script that the login uses. `render` returns the number that identifies a
 * widget.
 */
type ChallengeScript = {
  readonly ready: (then: () => void) => void
  readonly render: (element: HTMLElement, options: { sitekey: string; theme: 'light' | 'dark' }) => number
  readonly getResponse: (widget?: number) => string
  readonly reset: (widget?: number) => void
}

const scriptOf = (): ChallengeScript | undefined =>
  (globalThis as { grecaptcha?: ChallengeScript }).grecaptcha

/** The number of the most recently rendered widget. The script keeps the widgets of earlier forms too. */
let widget: number | undefined

/**
 * Returns the user's answer to the challenge. Returns an empty string when the server requires no challenge, and null
 * while the challenge is not solved.
 */
export function challengeResponse(): string | null {
  if (!config().ReCaptcha) return ''
  return scriptOf()?.getResponse(widget) || null
}

/** Resets the widget for a new answer, because the service accepts each response only once. */
export function resetChallenge(): void {
  if (config().ReCaptcha) scriptOf()?.reset(widget)
}

/**
 * Renders the widget of the challenge in a box of the widget's size. Renders nothing when the server requires no
 * challenge.
 */
export function Challenge() {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (config().ReCaptcha && box.current !== null) showWidget(box.current)
  }, [])
  return config().ReCaptcha ? <div ref={box} className={styles.challenge} /> : null
}

function showWidget(element: HTMLElement): void {
  const { ReCaptchaHost = 'https://www.google.com', ReCaptchaKey = '' } = config()
  const render = (): void =>
    scriptOf()?.ready(() => {
      const isDark = document.documentElement.classList.contains('dark')
      if (element.isConnected && element.childElementCount === 0)
        widget = scriptOf()?.render(element, { sitekey: ReCaptchaKey, theme: isDark ? 'dark' : 'light' })
    })
  if (scriptOf() !== undefined) return render()
  const script = document.createElement('script')
  script.src = `${ReCaptchaHost}/recaptcha/api.js?render=explicit`
  script.addEventListener('load', render)
  document.head.append(script)
}
