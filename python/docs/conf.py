"""The settings of the site: notebooks run in the build, and an error or a warning of any kind fails it."""

import logging
import sys
from pathlib import Path

import occupancy

sys.path.insert(0, str(Path(__file__).parent / "_ext"))
logging.getLogger("traitlets").setLevel(logging.WARNING)

project = "occupancy"
author = "the authors of occupancy"
copyright = "the authors of occupancy"
version = release = occupancy.__version__

extensions = ["myst_nb", "sphinx.ext.autodoc", "mathml", "reference"]
exclude_patterns = ["_ext"]
nitpicky = True
# Types of other packages and of type checkers, which are not documented here.
nitpick_ignore_regex = [("py:class", r"(?!occupancy\.[A-Z]).*")]

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_show_tb = True
nb_execution_timeout = 60
nb_execution_in_temp = True
nb_merge_streams = True

autodoc_member_order = "bysource"
autodoc_class_signature = "separated"
autodoc_preserve_defaults = True
autodoc_typehints = "signature"
# Names of types as the facade writes them.
autodoc_type_aliases = {
    name: name for name in ("ArrayLike", "Budgets", "Flags", "Floats", "Ints", "Learners", "Range", "Source", "Start", "Teller")
}
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 100
add_module_names = False
toc_object_entries_show_parents = "hide"

html_theme = "furo"
html_title = "occupancy for Python"
html_math_renderer = "mathml"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_theme_options = {
    "light_css_variables": {"font-stack": "system-ui, sans-serif"},
    "dark_css_variables": {"font-stack": "system-ui, sans-serif"},
}
