/** Moves the focus to the single tab stop of the listing, or to the content area on screens without a listing. */
export function focusContent(): void {
  const content = document.querySelector<HTMLElement>('#content')
  const list = content?.querySelector<HTMLElement>('[role="grid"]')
  const stop = list?.matches('[tabindex="0"]') ? list : list?.querySelector<HTMLElement>('[tabindex="0"]')
  ;(stop ?? content)?.focus()
}
