"use strict";
// As much of a browser as the report's page asks for. What it does not have is an error: then either the page is wrong, or a
// reader's browser has something more than this file.

class ClassList {
  constructor(owner) {
    this.owner = owner;
  }
  names() {
    return (this.owner.getAttribute("class") ?? "").split(" ").filter(Boolean);
  }
  contains(name) {
    return this.names().includes(name);
  }
  toggle(name, wanted = !this.contains(name)) {
    const others = this.names().filter((other) => other !== name);
    this.owner.setAttribute("class", (wanted ? [...others, name] : others).join(" "));
    return wanted;
  }
}

class Text {
  constructor(text) {
    this.textContent = String(text);
  }
}

class Element {
  constructor(name) {
    this.name = name;
    this.attributes = new Map();
    this.childNodes = [];
    this.parent = null;
    this.listeners = {};
    this.style = { setProperty() {} };
    this.classList = new ClassList(this);
    this.clientWidth = 640;
    this.hidden = false;
    const attribute = (key) => "data-" + key.replace(/[A-Z]/g, (letter) => "-" + letter.toLowerCase());
    this.dataset = new Proxy(this, {
      get: (owner, key) => owner.getAttribute(attribute(key)) ?? undefined,
      set: (owner, key, value) => (owner.setAttribute(attribute(key), value), true),
    });
  }
  get id() {
    return this.getAttribute("id");
  }
  get isConnected() {
    return this === document.documentElement || (this.parent?.isConnected ?? false);
  }
  get children() {
    return this.childNodes.filter((child) => child instanceof Element);
  }
  get textContent() {
    return this.childNodes.map((child) => child.textContent).join("");
  }
  set textContent(text) {
    this.replaceChildren(text);
  }
  get value() {
    return this.getAttribute("value");
  }
  set value(value) {
    this.setAttribute("value", value);
  }
  getAttribute(key) {
    return this.attributes.get(key) ?? null;
  }
  setAttribute(key, value) {
    if (/undefined|NaN/.test(value)) throw new Error(`<${this.name} ${key}="${value}">`);
    this.attributes.set(key, String(value));
  }
  append(...children) {
    for (const child of children) {
      const node = child instanceof Element ? child : new Text(child instanceof Text ? child.textContent : child);
      if (node instanceof Element) {
        node.remove();
        node.parent = this;
      }
      this.childNodes.push(node);
    }
  }
  replaceChildren(...children) {
    for (const child of this.children) child.parent = null;
    this.childNodes = [];
    this.append(...children);
  }
  remove() {
    if (this.parent) this.parent.childNodes = this.parent.childNodes.filter((other) => other !== this);
    this.parent = null;
  }
  addEventListener(kind, listener) {
    (this.listeners[kind] ??= []).push(listener);
  }
  dispatch(kind) {
    for (const listener of this.listeners[kind] ?? []) listener({ currentTarget: this, target: this });
  }
  *below() {
    for (const child of this.children) {
      yield child;
      yield* child.below();
    }
  }
  matches(selector) {
    if (selector.startsWith("#")) return this.id === selector.slice(1);
    return selector.startsWith(".") ? this.classList.contains(selector.slice(1)) : this.name === selector;
  }
  querySelectorAll(selector) {
    const [first, ...rest] = selector.split(" ");
    const found = [...this.below()].filter((other) => other.matches(first));
    return rest.length ? found.flatMap((other) => other.querySelectorAll(rest.join(" "))) : found;
  }
  querySelector(selector) {
    return this.querySelectorAll(selector)[0] ?? null;
  }
}

const root = new Element("html");
globalThis.document = {
  documentElement: root,
  createElement: (name) => new Element(name),
  createElementNS: (_, name) => new Element(name),
  createTextNode: (text) => new Text(text),
  getElementById: (id) => root.querySelector(`#${id}`),
  querySelector: (selector) => root.querySelector(selector),
  querySelectorAll: (selector) => root.querySelectorAll(selector),
};

const dark = new Element("media");
dark.matches = false;
globalThis.matchMedia = () => dark;
const page = new Element("window");
globalThis.addEventListener = (kind, listener) => page.addEventListener(kind, listener);
globalThis.getComputedStyle = () => ({ getPropertyValue: () => " #123456 " });
globalThis.setTimeout = (work) => (work(), 1);
globalThis.clearTimeout = () => {};
globalThis.IntersectionObserver = class {
  constructor(notice) {
    this.notice = notice;
    seen.push(this);
    this.targets = new Set();
  }
  observe(target) {
    this.targets.add(target);
  }
  unobserve(target) {
    this.targets.delete(target);
  }
};
const seen = [];

// Every element comes into view.
function scroll() {
  for (const observer of seen)
    observer.notice([...observer.targets].map((target) => ({ target, isIntersecting: true })));
}

// What was drawn: a trace without a number is a fault.
const drawn = [];
globalThis.Plotly = {
  react(place, traces, layout) {
    if (!(place instanceof Element) || !(layout.height > 0)) throw new Error("a chart without a place or a height");
    for (const trace of traces)
      for (const key of ["x", "y"])
        for (const value of trace[key] ?? [])
          if (Number.isNaN(value) || value === undefined) throw new Error(`${trace.name}: ${key} has ${value}`);
    drawn.push(traces.length);
  },
  purge() {},
};

// The elements of the template that have an id, with the classes of what is inside them.
function template(elements) {
  for (const { name, id, body } of elements) {
    const made = new Element(name);
    made.setAttribute("id", id);
    if (body) {
      const inner = new Element("div");
      inner.setAttribute("class", "body");
      made.append(inner);
    }
    root.append(made);
  }
}

// Presses every button, moves every slider, changes the theme and prints; what that draws is looked at too.
function use() {
  scroll();
  for (const button of root.querySelectorAll("button")) {
    button.dispatch("click");
    scroll();
  }
  for (const input of [...root.querySelectorAll("input"), ...root.querySelectorAll("select")]) {
    for (const value of [input.getAttribute("min") ?? "0", input.getAttribute("max") ?? input.value]) {
      input.value = value;
      input.dispatch("input");
      input.dispatch("change");
      scroll();
    }
  }
  for (const kind of ["resize", "beforeprint", "afterprint"]) page.dispatch(kind);
  dark.dispatch("change");
}

// What a reader would see: the text of every section, and how many charts were drawn.
function report() {
  const sections = root.children.map((section) => [section.id, section.hidden, section.textContent]);
  return JSON.stringify({ sections, charts: drawn.length });
}
