import Crypto

import struct Foundation.Data

/// The style of all pages for users.
enum PageStyle {
  static let text = """
    :root{color-scheme:light dark;--ink:#1c1c1e;--paper:#f5f5f7;--card:#fff;--quiet:#5b5b60;
    --edge:#76767c;--go:#1d5c4f;--on-go:#fff;--bad:#a8231b}
    @media(prefers-color-scheme:dark){:root{--ink:#f2f2f4;--paper:#111113;--card:#1e1e21;--quiet:#a5a5ab;
    --edge:#8b8b92;--go:#7fd1bb;--on-go:#0e2a24;--bad:#ffb4ab}}
    body{margin:0;min-height:100vh;display:grid;place-items:center;background:var(--paper);
    color:var(--ink);font:1.0625rem/1.5 system-ui,sans-serif}
    main{box-sizing:border-box;width:calc(100% - 2rem);max-width:32rem;margin:1rem;padding:2rem;
    background:var(--card);border-radius:1rem}
    @media(max-width:26rem){main{padding:1.5rem}}
    h1{margin:0 0 .75rem;font-size:1.375rem;line-height:1.3}p{margin:0}p+p{margin-top:.75rem}
    details{margin-top:1.5rem;color:var(--quiet);font-size:.9375rem}
    summary{cursor:pointer}details p{margin-top:.5rem}
    code{overflow-wrap:anywhere;font-size:.9em;color:var(--ink)}
    form{margin:1.25rem 0 0}label{display:block;font-weight:600}
    input{box-sizing:border-box;width:100%;margin:.375rem 0 0;padding:.75rem;border:1px solid var(--edge);
    border-radius:.625rem;background:var(--paper);color:var(--ink);font:inherit}
    input[aria-invalid]{border:2px solid var(--bad)}
    ul{margin:.5rem 0 0;padding-left:1.25rem;color:var(--quiet);font-size:.9375rem}
    .bad{margin-top:.5rem;color:var(--bad);font-weight:600}.bad ul{color:inherit}
    .quiet{margin-top:1.25rem;color:var(--quiet);font-size:.9375rem}
    .app{margin-bottom:.5rem;color:var(--quiet);overflow-wrap:anywhere}
    .address{font-weight:600;overflow-wrap:anywhere}
    .go{display:inline-block;margin-top:1.25rem;padding:.75rem 1.25rem;border:0;border-radius:.625rem;
    background:var(--go);color:var(--on-go);font:inherit;font-weight:600;text-decoration:none;
    cursor:pointer}
    .go:focus-visible,input:focus-visible{outline:3px solid var(--go);outline-offset:3px}
    @media(forced-colors:active){.go{border:1px solid}}
    """

  /// The hash that allows only this style (CSP Level 3 §8.4).
  static let hash =
    "'sha256-" + Data(SHA256.hash(data: Data(text.utf8))).base64EncodedString() + "'"
}
