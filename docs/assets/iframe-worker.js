// Browsers start no worker from a file, and the search is one. Its script then runs in an empty
// frame: the frame's messages become those of the worker, and the page's those of the frame.
if (location.protocol === "file:") {
  window.Worker = class {
    constructor(url) {
      const script = new URL(url, document.baseURI).href;
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      const inside = this.frame.contentWindow;
      this.ready = new Promise((resolve, reject) => {
        const page = this.frame.contentDocument;
        // Written, not loaded: a page of its own would be of another origin.
        page.open();
        page.write("<!doctype html><body></body>");
        page.close();
        inside.postMessage = (data) => this.onmessage?.(new MessageEvent("message", { data }));
        const element = page.createElement("script");
        element.src = script;
        element.onload = resolve;
        element.onerror = reject;
        page.body.append(element);
      });
      this.ready.catch(() => this.onerror?.(new ErrorEvent("error")));
    }

    postMessage(data) {
      const told = () =>
        this.frame.contentWindow?.dispatchEvent(new MessageEvent("message", { data }));
      this.ready.then(told, () => {});
    }

    terminate() {
      this.frame.remove();
    }
  };
}
