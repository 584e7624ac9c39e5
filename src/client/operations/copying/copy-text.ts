/**
 * Copies a text to the clipboard of the system. Returns false when the browser does not allow it. Browsers have
 * `navigator.clipboard` only over https and on the same machine, so that the old copy command is used over plain http.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyByCommand(text)
  }
}

/**
 * Copies a text that has not arrived yet, and returns false when the browser does not allow it. Some browsers allow to copy only
 * during a press, so that they get the promise of the text. Rejects when the text does not arrive.
 */
export async function copyTextOf(text: Promise<string>): Promise<boolean> {
  try {
    const { clipboard } = navigator
    const blob = text.then((arrived) => new Blob([arrived], { type: 'text/plain' }))
    // The failure of the text itself is reported below, whether or not the browser waits for it.
    blob.catch(() => undefined)
    await clipboard.write([new ClipboardItem({ 'text/plain': blob })])
    return true
  } catch {
    return copyText(await text)
  }
}

/** Runs the copy command and puts the text into its event. The focus and the selection stay where they are. */
function copyByCommand(text: string): boolean {
  let isCopied = false
  const onCopy = (event: ClipboardEvent): void => {
    event.preventDefault()
    event.stopPropagation()
    event.clipboardData?.setData('text/plain', text)
    isCopied = true
  }
  document.addEventListener('copy', onCopy, true)
  document.execCommand('copy')
  document.removeEventListener('copy', onCopy, true)
  return isCopied
}
