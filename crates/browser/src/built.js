// Returns the page as built by its scripts, as HTML that looks the same without them. Rules that scripts added to style sheets, but not
// to their text, are written into the page. Returns null if the result is too long.
(mostCharacters) => {
  const rulesOf = (sheet) => {
    try {
      return Array.from(sheet.cssRules, (rule) => rule.cssText).join('\n');
    } catch {
      return '';
    }
  };
  for (const style of document.querySelectorAll('style')) {
    if (!style.textContent.trim() && style.sheet) style.textContent = rulesOf(style.sheet);
  }
  for (const sheet of document.adoptedStyleSheets || []) {
    const style = document.createElement('style');
    style.textContent = rulesOf(sheet);
    (document.head || document.documentElement).append(style);
  }
  const doctype = document.doctype ? new XMLSerializer().serializeToString(document.doctype) : '';
  const html = doctype + (document.documentElement ? document.documentElement.outerHTML : '');
  return html.length > mostCharacters ? null : html;
}
