// cspell:disable
const tableOf = (text: string): ReadonlyMap<string, string> =>
  new Map(text.split(' ').map((entry) => entry.split('=') as [string, string]));

/** Letters and other symbols that are names. */
export const names = tableOf(
  'alpha=α beta=β gamma=γ delta=δ epsilon=ϵ varepsilon=ε zeta=ζ eta=η theta=θ vartheta=ϑ iota=ι kappa=κ lambda=λ mu=μ nu=ν xi=ξ pi=π rho=ρ sigma=σ tau=τ upsilon=υ phi=ϕ varphi=φ chi=χ psi=ψ omega=ω Gamma=Γ Delta=Δ Theta=Θ Lambda=Λ Xi=Ξ Pi=Π Sigma=Σ Upsilon=Υ Phi=Φ Psi=Ψ Omega=Ω infty=∞ partial=∂ nabla=∇ hbar=ℏ ell=ℓ Re=ℜ Im=ℑ emptyset=∅ varnothing=∅ angle=∠ top=⊤ bot=⊥ %=% $=$ #=# _=_ &=&',
);

export const operators = tableOf(
  'times=× cdot=⋅ div=÷ pm=± mp=∓ ast=∗ star=⋆ circ=∘ bullet=∙ oplus=⊕ otimes=⊗ odot=⊙ le=≤ leq=≤ ge=≥ geq=≥ ll=≪ gg=≫ lt=< gt=> ne=≠ neq=≠ equiv=≡ approx=≈ sim=∼ simeq=≃ cong=≅ propto=∝ in=∈ notin=∉ ni=∋ subset=⊂ supset=⊃ subseteq=⊆ supseteq=⊇ cup=∪ cap=∩ setminus=∖ backslash=\\ wedge=∧ land=∧ vee=∨ lor=∨ neg=¬ lnot=¬ forall=∀ exists=∃ to=→ rightarrow=→ leftarrow=← gets=← leftrightarrow=↔ Rightarrow=⇒ Leftarrow=⇐ Leftrightarrow=⇔ implies=⟹ iff=⟺ longrightarrow=⟶ mapsto=↦ uparrow=↑ downarrow=↓ ldots=… dots=… cdots=⋯ vdots=⋮ ddots=⋱ colon=: mid=∣ parallel=∥ perp=⊥ vdash=⊢ because=∵ therefore=∴ prime=′ dagger=† bmod=mod int=∫ iint=∬ oint=∮ lbrace={ rbrace=} {={ }=} langle=⟨ rangle=⟩ lceil=⌈ rceil=⌉ lfloor=⌊ rfloor=⌋ vert=| lvert=| rvert=| Vert=‖ lVert=‖ rVert=‖ |=‖',
);

/** Operators and functions with what belongs to them above and below, if the formula has its own line. */
export const sums = tableOf(
  'sum=∑ prod=∏ coprod=∐ bigcup=⋃ bigcap=⋂ bigvee=⋁ bigwedge=⋀ bigoplus=⨁ bigotimes=⨂ lim=lim limsup=lim\u00A0sup liminf=lim\u00A0inf max=max min=min sup=sup inf=inf det=det gcd=gcd Pr=Pr argmax=arg\u00A0max argmin=arg\u00A0min',
);
export const functions = new Set(
  'sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh log ln lg exp arg deg dim ker'.split(' '),
);

/** Signs above or below. */
export const accents = tableOf(
  'hat=^ widehat=^ bar=¯ overline=¯ vec=→ overrightarrow=→ dot=˙ ddot=¨ tilde=~ widetilde=~ overbrace=⏞ underline=_ underbrace=⏟',
);
export const spaces = tableOf(',=0.17em :=0.22em ;=0.28em !=-0.17em enspace=0.5em quad=1em qquad=2em');

/** Commands that change nothing here. */
export const ignored = new Set(
  'displaystyle textstyle scriptstyle notag nonumber large Large small normalsize'.split(' '),
);

/** Where the capital and small letters and the digits of a font begin, followed by the letters that are elsewhere. */
export const fonts = new Map<string, readonly [number, number, number, string]>([
  ['mathbb', [0x1d538, 0x1d552, 0x1d7d8, 'CℂHℍNℕPℙQℚRℝZℤ']],
  ['mathcal', [0x1d49c, 0x1d4b6, 0x30, 'BℬEℰFℱHℋIℐLℒMℳRℛeℯgℊoℴ']],
  ['mathbf', [0x1d400, 0x1d41a, 0x1d7ce, '']],
  ['boldsymbol', [0x1d468, 0x1d482, 0x1d7ce, '']],
  ['mathfrak', [0x1d504, 0x1d51e, 0x30, 'CℭHℌIℑRℜZℨ']],
]);

/** What is around the rows of an environment, and how its columns are aligned. */
export const environments = new Map<string, readonly [before: string, after: string, align?: string]>([
  ...['matrix', 'array', 'gathered', 'equation'].map((name) => [name, ['', '']] as const),
  ...['aligned', 'align', 'split'].map((name) => [name, ['', '', 'pairs']] as const),
  ['pmatrix', ['(', ')']],
  ['bmatrix', ['[', ']']],
  ['vmatrix', ['|', '|']],
  ['cases', ['{', '', 'left']],
]);
