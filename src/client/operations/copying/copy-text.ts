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
