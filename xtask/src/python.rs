//! The Python package: built into an environment of its own, its tests, and the checks of its types.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::cargo::{cargo, shown};
use crate::result::Result;
use crate::root::{root, target};

/// Folder of the package.
const FOLDER: &str = "crates/python";

/// An environment of Python under the target folder.
pub(crate) struct Environment {
    folder: PathBuf,
}

impl Environment {
    /// Returns the environment of tests, with exactly the versions of the file of requirements. `None` if
    /// there is no Python that is new enough.
    pub(crate) fn open() -> Result<Option<Environment>> {
        Self::with("python", &requirements()?)
    }

    /// Returns the environment of releases, which has maturin and zig alone: the packages of tests take a
    /// gigabyte, and a release needs none of them. Zig links against old C libraries and musl. `None` if
    /// there is no Python that is new enough.
    pub(crate) fn tools() -> Result<Option<Environment>> {
        const ZIG: &str = "ziglang==0.15.1\n";
        let wanted = requirements()?;
        let maturin = wanted.lines().find(|line| line.starts_with("maturin=="));
        let maturin = maturin.ok_or("requirements.txt has no version of maturin")?;
        Self::with("release-tools", &format!("{maturin}\n{ZIG}"))
    }

    /// Returns the environment in this folder of the target folder; makes it if it is missing or has other
    /// packages.
    fn with(name: &str, wanted: &str) -> Result<Option<Environment>> {
        let Some(python) = interpreter() else {
            return Ok(None);
        };
        let environment = Environment {
            folder: target().join(name),
        };
        let stamp = environment.folder.join("requirements.installed");
        // The stamp has the whole list, so that any changed version makes the environment again.
        if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
            return Ok(Some(environment));
        }
        // `--clear` also removes packages that are no longer in the list.
        let mut make = Command::new(python);
        make.args(["-m", "venv", "--clear"]).arg(&environment.folder);
        shown(&mut make, "no environment of Python can be made")?;
        let list = environment.folder.join("requirements.txt");
        fs::write(&list, wanted)?;
        let mut install = environment.program("python");
        install.args([
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "--no-deps",
            "--requirement",
        ]);
        shown(install.arg(&list), "packages of Python cannot be installed")?;
        // Written last, so that an interrupted installation is repeated.
        fs::write(&stamp, wanted)?;
        Ok(Some(environment))
    }

    /// Returns a command for a program of the environment, in the folder of the package.
    pub(crate) fn program(&self, name: &str) -> Command {
        let scripts = if cfg!(windows) { "Scripts" } else { "bin" };
        let folder = self.folder.join(scripts);
        let mut command = Command::new(folder.join(name));
        command
            .current_dir(root().join(FOLDER))
            .env("VIRTUAL_ENV", &self.folder);
        // Programs started by a program of the environment are looked for in the environment, too.
        let others = env::var_os("PATH").unwrap_or_default();
        let path = env::join_paths([folder].into_iter().chain(env::split_paths(&others)));
        if let Ok(path) = path {
            command.env("PATH", path);
        }
        command
    }

    /// Builds a wheel into the folder `out`, and returns its path.
    pub(crate) fn wheel(&self, out: &Path, profile: &str, more: &[&str]) -> Result<PathBuf> {
        // `built` takes the first wheel of the folder, so that an older one must not be there.
        if out.is_dir() {
            fs::remove_dir_all(out)?;
        }
        let mut build = self.program("maturin");
        build
            .args(["build", "--locked", "--profile", profile, "--out"])
            .arg(out)
            .args(more);
        shown(&mut build, "the wheel does not build")?;
        built(out, "whl")
    }

    /// Installs a wheel or a source distribution, replacing an earlier one.
    pub(crate) fn install(&self, package: &Path) -> Result<()> {
        let mut install = self.program("python");
        install
            .args([
                "-m",
                "pip",
                "install",
                "--quiet",
                "--disable-pip-version-check",
                "--no-deps",
                "--force-reinstall",
            ])
            .arg(package);
        shown(&mut install, "the wheel cannot be installed")
    }
}

/// Returns the packages that the tests of the package need, with their versions.
fn requirements() -> Result<String> {
    let file = root().join(FOLDER).join("requirements.txt");
    fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()).into())
}

/// Returns the first file with this extension in a folder.
pub(crate) fn built(folder: &Path, extension: &str) -> Result<PathBuf> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|found| found == extension) {
            return Ok(path);
        }
    }
    Err(format!("{}: no .{extension} was built", folder.display()).into())
}

/// Returns the name of a Python of version 3.11 or newer that can make environments; `None` if absent. The
/// package needs 3.10, its tests 3.11.
fn interpreter() -> Option<&'static str> {
    const CHECK: &str = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))";
    ["python3", "python"].into_iter().find(|name| {
        let mut check = Command::new(name);
        check
            .args(["-c", CHECK])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        check.status().is_ok_and(|status| status.success())
    })
}

/// Returns the commands that check the types of the package, with their names.
pub(crate) fn checks(environment: &Environment) -> Vec<(&'static str, Command)> {
    let mut types = environment.program("mypy");
    types.args(["--cache-dir"]).arg(target().join("mypy"));
    let mut others = environment.program("pyright");
    others
        .arg("--pythonpath")
        .arg(environment.program("python").get_program());
    // Without this, pyright would download a node of its own.
    others
        .env("PYRIGHT_PYTHON_GLOBAL_NODE", "1")
        .env("PYRIGHT_PYTHON_IGNORE_WARNINGS", "1");
    let mut checks = vec![("types of Python by mypy", types)];
    if has_node() {
        checks.push(("types of Python by pyright", others));
    }
    checks
}

/// Returns the command that runs the tests of the package.
pub(crate) fn tests(environment: &Environment) -> Command {
    let mut tests = environment.program("python");
    // Two workers, since the tests of Spark wait for Spark about half of the time. Tests of one group run
    // one after another.
    tests.args(["-m", "pytest", "-q", "-rs", "-n", "2", "--dist", "loadgroup"]);
    let program = target()
        .join("debug")
        .join(format!("dehusk{}", env::consts::EXE_SUFFIX));
    tests
        .env("DEHUSK_PROGRAM", program)
        .env("DEHUSK_PEERS", environment.folder.join("peers"))
        .env("PYTHONDONTWRITEBYTECODE", "1");
    tests
}

/// Whether node is installed, which pyright needs.
pub(crate) fn has_node() -> bool {
    let mut node = Command::new("node");
    node.arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    node.status().is_ok_and(|status| status.success())
}

/// Whether Java is installed, which Spark needs.
pub(crate) fn has_java() -> bool {
    let mut java = Command::new("java");
    java.arg("-version")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    java.status().is_ok_and(|status| status.success())
}

/// Builds the package in the profile of the tests and installs it into its environment.
///
/// maturin would compile the crate with the features that it alone asks for, and with them most
/// dependencies a second time, for minutes. So the library is one more target of the graph that the tests
/// are compiled from, and maturin writes the metadata beside it.
///
/// On other systems than Linux, maturin gives the linker what an extension needs, and so builds it there.
pub(crate) fn installed(environment: &Environment) -> Result<()> {
    let out = target().join("wheels/test");
    let wheel = if cfg!(target_os = "linux") {
        packed(environment, &out)?
    } else {
        environment.wheel(&out, "dev", &[])?
    };
    environment.install(&wheel)
}

/// Packs a wheel of the library that the workspace builds, and returns its path.
fn packed(environment: &Environment, out: &Path) -> Result<PathBuf> {
    if out.is_dir() {
        fs::remove_dir_all(out)?;
    }
    let tree = out.join("tree");
    fs::create_dir_all(&tree)?;
    let mut library = cargo();
    // Tests are named, too, so that features of development dependencies are the same.
    library.args([
        "build",
        "--workspace",
        "--all-features",
        "--lib",
        "--bins",
        "--tests",
    ]);
    shown(&mut library, "the library of the package does not build")?;
    // maturin only writes the metadata here. It does not compile the crate again.
    let mut metadata = environment.program("maturin");
    metadata
        .args(["pep517", "write-dist-info", "--metadata-directory"])
        .arg(&tree)
        .arg("--interpreter")
        .arg(environment.program("python").get_program());
    shown(&mut metadata, "the metadata of the package cannot be written")?;
    let package = tree.join("dehusk");
    copy_sources(&root().join(FOLDER).join("python/dehusk"), &package)?;
    // The name of the library is that of the crate. Python looks for the module under the name in
    // `pyproject.toml`.
    fs::copy(
        target().join("debug/libdehusk_python.so"),
        package.join("_native.abi3.so"),
    )?;
    let mut pack = environment.program("python");
    pack.args(["-m", "wheel", "pack", "--dest-dir"])
        .arg(out)
        .arg(&tree);
    shown(&mut pack, "the wheel cannot be packed")?;
    built(out, "whl")
}

/// Copies the sources of the package without what Python has cached of them.
fn copy_sources(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let name = entry.file_name();
        if entry.file_type()?.is_dir() {
            if name != "__pycache__" {
                copy_sources(&entry.path(), &to.join(name))?;
            }
        } else if Path::new(&name).extension().is_none_or(|found| found != "so") {
            fs::copy(entry.path(), to.join(name))?;
        }
    }
    Ok(())
}
