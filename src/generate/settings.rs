//! Settings of the generator: the targets and versions that must take a module, and its size.

/// A release of Triton, major and minor.
pub type Version = (u32, u32);

/// A backend as far as the front end's output depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Backend {
    /// NVIDIA, with the compute capability as one number: 80, 90, 100.
    Nvidia(u32),
    /// AMD's matrix cores with waves of 64.
    AmdCdna,
    /// Any other.
    Other,
}

impl Backend {
    /// The backend of a target's kind and architecture, such as `cuda` and `80`.
    pub fn of(kind: &str, arch: &str) -> Backend {
        match (kind, arch.parse()) {
            ("cuda", Ok(capability)) => Backend::Nvidia(capability),
            ("hip", _) if arch.starts_with("gfx9") => Backend::AmdCdna,
            _ => Backend::Other,
        }
    }

    /// The target as a module's attribute names it.
    pub(super) fn target(self) -> Option<String> {
        match self {
            Backend::Nvidia(capability) => Some(format!("cuda:{capability}")),
            Backend::AmdCdna => Some("hip:gfx942".to_owned()),
            Backend::Other => None,
        }
    }
}

/// How the front end writes hints to the caches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CacheHints {
    /// Not at all.
    None,
    /// `cacheModifier = cg evictionPolicy = evict_last`.
    Words,
    /// `{cachePolicy = #tt.cache_policy<…>}`, from 3.9.
    Policy,
}

/// The dialect that modules are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum IrLevel {
    /// As `make_ttir` leaves it: for a whole pipeline.
    #[default]
    Ttir,
    /// With layouts: for single passes. The dialect's name is that of 3.3 and later.
    Ttgir,
}

/// The targets, versions and size of generated modules. Every module suits all targets and versions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneratorSettings {
    /// Operations are used only if the front end emits them for all of these.
    pub backends: Vec<Backend>,
    /// The oldest version that must take the module.
    pub oldest: Version,
    /// The newest version that must take the module.
    pub newest: Version,
    pub level: IrLevel,
    /// The patterns to draw from; if empty, all.
    pub patterns: Vec<super::Pattern>,
    /// The approximate number of operations: beyond it no new statement begins.
    pub operations: usize,
}

impl Default for GeneratorSettings {
    fn default() -> Self {
        GeneratorSettings {
            backends: vec![Backend::Nvidia(80)],
            oldest: (3, 2),
            newest: (3, 9),
            level: IrLevel::Ttir,
            patterns: Vec::new(),
            operations: 400,
        }
    }
}

impl GeneratorSettings {
    /// For the given targets, `(kind, architecture)`, and versions as `3.6.0`. Words that are no version count as the
    /// default's bounds.
    pub fn for_targets<'a>(
        targets: impl IntoIterator<Item = (&'a str, &'a str)>,
        versions: impl IntoIterator<Item = &'a str>,
    ) -> GeneratorSettings {
        let backends = targets.into_iter().map(|(kind, arch)| Backend::of(kind, arch)).collect();
        let mut settings = GeneratorSettings { backends, ..GeneratorSettings::default() };
        let versions: Vec<Version> = versions.into_iter().filter_map(version).collect();
        settings.oldest = versions.iter().copied().min().unwrap_or(settings.oldest);
        settings.newest = versions.iter().copied().max().unwrap_or(settings.newest);
        settings
    }

    fn all(&self, wanted: impl Fn(Backend) -> bool) -> bool {
        self.backends.iter().all(|&backend| wanted(backend))
    }

    /// `tl.gather` exists from 3.3.
    pub(super) fn has_gather(&self) -> bool {
        self.oldest >= (3, 3)
    }

    /// Functions with tensors among their arguments: up to 3.7 the conversion to layouts gives up on them.
    pub(super) fn has_tensor_calls(&self) -> bool {
        self.oldest >= (3, 8)
    }

    /// How cache modifiers and eviction policies are written; none where the versions differ.
    pub(super) fn cache_hints(&self) -> CacheHints {
        match (self.oldest, self.newest) {
            (_, newest) if newest < (3, 9) => CacheHints::Words,
            (oldest, _) if oldest >= (3, 9) => CacheHints::Policy,
            _ => CacheHints::None,
        }
    }

    /// Blocks with tensors for arguments, which an inlined early return leaves: 3.2 crashes on every one.
    pub(super) fn has_tensor_blocks(&self) -> bool {
        self.oldest >= (3, 3)
    }

    /// A histogram takes a mask from 3.4.
    pub(super) fn has_masked_histogram(&self) -> bool {
        self.oldest >= (3, 4)
    }

    /// Descriptors stay in the TTIR of targets with a tensor memory accelerator; their type's text changed in 3.8.
    pub(super) fn has_descriptors(&self) -> bool {
        let one_spelling = self.newest < (3, 8) || self.oldest >= (3, 8);
        self.oldest >= (3, 4)
            && one_spelling
            && self.all(|backend| matches!(backend, Backend::Nvidia(capability) if capability >= 90))
    }

    /// Whether a descriptor's type is written without the inner `tensor<>`.
    pub(super) fn bare_descriptors(&self) -> bool {
        self.oldest >= (3, 8)
    }

    /// The backends are all NVIDIA's: `tf32` is what the front end writes for a dot without an opinion.
    pub(super) fn is_nvidia(&self) -> bool {
        self.all(|backend| matches!(backend, Backend::Nvidia(_)))
    }

    /// Eight-bit floats in dots: from compute capability 89 natively, upcast before.
    pub(super) fn has_fp8_dot(&self) -> bool {
        self.all(|backend| matches!(backend, Backend::Nvidia(_)))
    }

    /// Eight-bit floats as element types.
    pub(super) fn has_fp8(&self) -> bool {
        self.all(|backend| backend != Backend::Other)
    }
}

fn version(text: &str) -> Option<Version> {
    let mut parts = text.split('.').map(str::parse);
    match (parts.next(), parts.next()) {
        (Some(Ok(major)), Some(Ok(minor))) => Some((major, minor)),
        _ => None,
    }
}
