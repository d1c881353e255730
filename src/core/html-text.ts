const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text as it may stand in HTML, between tags and in quotes of either kind. */
export const htmlText = (text: string): string => text.replace(/[&<>"']/g, sign => escapes[sign] ?? sign)
