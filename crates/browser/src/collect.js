// Measures the page it runs in, and returns the fields that docs/layout.md describes from `viewport` on. It runs in an isolated world,
// which the scripts of the page cannot access, and changes nothing. All lengths are whole CSS pixels from the corner of the page.
(mostElements) => {
  const root = document.documentElement;
  const { round, min, max, imul } = Math;
  const [scrollX, scrollY] = [window.scrollX, window.scrollY];
  const NOT_DRAWN = 1, FIXED = 2;
  const BOX_FIXED = 1, BOX_FLOATS = 2, BOX_SCROLLS = 4;

  // 32-bit FNV-1a over the names of all elements, in lower case, each followed by a slash.
  let hash = 0x811c9dc5;
  const mix = (unit) => { hash = imul(hash ^ unit, 0x01000193); };
  const mixName = (name) => {
    for (let i = 0; i < name.length; i += 1) {
      const unit = name.charCodeAt(i);
      mix(unit >= 65 && unit <= 90 ? unit + 32 : unit);
    }
    mix(47);
  };

  const isTransparent = (color) => color === 'transparent' || /, 0\)$/.test(color);
  const states = new Map();
  // The state that an element passes on to the texts in it.
  const stateOf = (element, outer) => {
    const style = getComputedStyle(element);
    const rect = element.getBoundingClientRect();
    const clips = style.overflowX !== 'visible' || style.overflowY !== 'visible' || style.clip !== 'auto' || style.clipPath !== 'none';
    const concealed = style.opacity === '0'
      || (clips && style.display !== 'inline' && (rect.width <= 1 || rect.height <= 1))
      || /^inset\((50|100)%/.test(style.clipPath);
    return {
      style,
      rect,
      number: states.size,
      children: 0,
      background: isTransparent(style.backgroundColor) ? (outer ? outer.background : '') : style.backgroundColor,
      fixed: Boolean(outer && outer.fixed) || style.position === 'fixed' || style.position === 'sticky',
      concealed: Boolean(outer && outer.concealed) || concealed,
      box: outer ? outer.box : '',
    };
  };

  const styles = [], styleNumbers = new Map();
  const styleNumber = ({ style, background }) => {
    const key = [style.fontSize, style.fontWeight, style.fontFamily, style.color, background, style.textAlign].join('|');
    let number = styleNumbers.get(key);
    if (number === undefined) {
      number = styles.length;
      styleNumbers.set(key, number);
      styles.push({
        size: parseFloat(style.fontSize) || 0,
        weight: parseInt(style.fontWeight, 10) || 400,
        family: style.fontFamily.slice(0, 100),
        color: style.color,
        background,
        align: style.textAlign,
      });
    }
    return number;
  };

  const texts = [], boxes = [], range = document.createRange();
  const addBox = (state) => {
    const { style, rect } = state;
    if (['none', 'inline', 'contents'].includes(style.display) || rect.width < 1 || rect.height < 1) return;
    const place = [round(rect.left + scrollX), round(rect.top + scrollY), round(rect.width), round(rect.height)];
    if (place.join() === state.box) return;
    state.box = place.join();
    const scrolls = /auto|scroll/.test(style.overflowX + style.overflowY);
    boxes.push([state.number, ...place,
      (state.fixed ? BOX_FIXED : 0) | (style.float !== 'none' ? BOX_FLOATS : 0) | (scrolls ? BOX_SCROLLS : 0)]);
  };
  const addText = (node, state) => {
    range.selectNodeContents(node);
    let [left, top, right, bottom, lines, lastTop] = [Infinity, Infinity, -Infinity, -Infinity, 0, -Infinity];
    for (const rect of range.getClientRects()) {
      if (rect.width < 1 || rect.height < 1) continue;
      [left, top] = [min(left, rect.left), min(top, rect.top)];
      [right, bottom] = [max(right, rect.right), max(bottom, rect.bottom)];
      if (rect.top > lastTop + 2) {
        lines += 1;
        lastTop = rect.top;
      }
    }
    const drawn = lines > 0 && !state.concealed && state.style.visibility === 'visible'
      && right + scrollX > 0 && bottom + scrollY > 0;
    const place = lines ? [round(left + scrollX), round(top + scrollY), round(right - left), round(bottom - top)] : [0, 0, 0, 0];
    texts.push([state.number, state.children, ...place, lines, styleNumber(state),
      (drawn ? 0 : NOT_DRAWN) | (state.fixed ? FIXED : 0)]);
  };

  const walker = document.createTreeWalker(document, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const outer = states.get(node.parentNode);
    if (node.nodeType === Node.ELEMENT_NODE) {
      if (states.size >= mostElements) return { tooManyElements: true };
      const state = stateOf(node, outer);
      states.set(node, state);
      if (outer) outer.children += 1;
      mixName(node.localName);
      addBox(state);
    } else if (outer && /[^ \t\r\n\f]/.test(node.data)) {
      addText(node, outer);
    }
  }
  const body = document.body;
  return {
    viewport: [window.innerWidth, window.innerHeight],
    page: [
      round(max(root ? root.scrollWidth : 0, body ? body.scrollWidth : 0)),
      round(max(root ? root.scrollHeight : 0, body ? body.scrollHeight : 0)),
    ],
    elements: states.size,
    tags_hash: hash >>> 0,
    styles,
    texts,
    boxes,
  };
}
